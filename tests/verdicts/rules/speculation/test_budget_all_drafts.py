from verdicts.harness import fires, quiet, spec


def test_a_budget_equal_to_the_seats_is_refused_from_0_20() -> None:
    fires(
        "budget-all-drafts",
        "Qwen/Qwen3-8B --max-num-batched-tokens 256 --max-num-seqs 256 "
        + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.20.2",
    )


def test_0_18_falls_back_to_the_whole_budget() -> None:
    quiet(
        "budget-all-drafts",
        "Qwen/Qwen3-8B --max-num-batched-tokens 256 --max-num-seqs 256 "
        + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.18.0",
    )
