from verdicts.harness import fires, not_checked, quiet

HYBRID = "Qwen/Qwen3.5-27B --max-model-len 32768"


def test_a_sequence_keeps_its_state_in_a_block() -> None:
    found = fires("state-blocks-below-seats", f"{HYBRID} --max-num-seqs 2048", "0.28.0", gpu="1x H100-SXM")
    assert not found.starts


def test_as_many_blocks_as_seats_are_enough() -> None:
    quiet("state-blocks-below-seats", f"{HYBRID} --max-num-seqs 64", "0.28.0", gpu="1x H100-SXM")
    quiet("state-blocks-below-seats", f"{HYBRID} --max-num-seqs 2048 --enforce-eager", "0.28.0", gpu="1x H100-SXM")
    quiet("state-blocks-below-seats", "Qwen/Qwen3-8B --max-num-seqs 4096", "0.28.0", gpu="1x H100-SXM")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("state-blocks-below-seats", f"{HYBRID} --max-num-seqs 2048") == ("gpu",)
