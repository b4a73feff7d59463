from verdicts.harness import fires, quiet


def test_more_tokens_than_all_seats_hold_are_never_used() -> None:
    found = fires(
        "budget-never-filled",
        "Qwen/Qwen3-8B --max-model-len 1024 --max-num-seqs 4 --max-num-batched-tokens 8192",
        "0.33.0",
    )
    assert "4096" in found.message


def test_more_seats_can_fill_it() -> None:
    quiet(
        "budget-never-filled",
        "Qwen/Qwen3-8B --max-model-len 1024 --max-num-seqs 64 --max-num-batched-tokens 8192",
        "0.33.0",
    )
