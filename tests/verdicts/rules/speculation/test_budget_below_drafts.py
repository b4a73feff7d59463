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


def test_every_token_a_drafter_writes_ahead_counts_from_0_33() -> None:
    command = "Qwen/Qwen3-Next-80B-A3B-Instruct -tp 8 --max-num-batched-tokens 2 " + spec(
        method="mtp", num_speculative_tokens=2
    )
    fires("budget-below-drafts", command, "0.33.0", gpu="8x H100-SXM")
    quiet("budget-below-drafts", command, "0.32.0", gpu="8x H100-SXM")
