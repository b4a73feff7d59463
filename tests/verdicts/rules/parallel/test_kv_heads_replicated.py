from verdicts.harness import fires, quiet


def test_four_heads_on_eight_ranks_are_copied() -> None:
    assert "4 KV heads" in fires("kv-heads-replicated", "Qwen/Qwen3-30B-A3B -tp 8", "0.33.0").message


def test_four_ranks_hold_one_each() -> None:
    quiet("kv-heads-replicated", "Qwen/Qwen3-30B-A3B -tp 4", "0.33.0")


def test_fewer_ranks_are_not_named_where_they_do_not_hold_the_weights() -> None:
    found = fires("kv-heads-replicated", "Qwen/Qwen3-235B-A22B -tp 8", gpu="8x H100")
    assert [(step.name, step.to) for step in found.steps] == [("--decode-context-parallel-size", 2)]
