from verdicts.harness import fires, quiet


def test_fewer_tokens_than_seats_are_refused() -> None:
    found = fires("budget-below-seats", "Qwen/Qwen3-8B --max-num-batched-tokens 256 --max-num-seqs 512", "0.33.0")
    assert "256" in found.message


def test_default_seats_follow_the_budget_down() -> None:
    quiet("budget-below-seats", "Qwen/Qwen3-8B --max-num-batched-tokens 256", "0.33.0")
