from verdicts.harness import fires, quiet, spec


def test_one_token_holds_no_draft() -> None:
    fires(
        "budget-below-drafts",
        "Qwen/Qwen3-8B --max-num-batched-tokens 1 --max-num-seqs 1 "
        + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.31.0",
    )


def test_two_do() -> None:
    quiet(
        "budget-below-drafts",
        "Qwen/Qwen3-8B --max-num-batched-tokens 2 --max-num-seqs 1 "
        + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.31.0",
    )
