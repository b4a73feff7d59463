from verdicts.harness import fires, quiet


def test_a_state_needs_a_large_block() -> None:
    assert "1568" in fires("hybrid-block-enlarged", "tiiuae/Falcon-H1-7B-Instruct --block-size 32", "0.33.0").message


def test_attention_alone_does_not() -> None:
    quiet("hybrid-block-enlarged", "Qwen/Qwen3-8B --block-size 32", "0.33.0")


def test_zero_is_taken_for_nothing_said_and_enlarged_too() -> None:
    command = "Qwen/Qwen3-Next-80B-A3B-Instruct -tp 4 --block-size 0"
    assert fires("hybrid-block-enlarged", command, "0.18.0").changed[0].asked == 0
