from verdicts.harness import fires, quiet, spec


def test_a_budget_one_above_the_seats_leaves_one_token_per_step() -> None:
    found = fires(
        "budget-eaten-by-drafts",
        "Qwen/Qwen3-8B --max-num-batched-tokens 257 --max-num-seqs 256 "
        + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.20.2",
    )
    assert "leave 1 of the 257" in found.message


def test_the_default_budget_has_room() -> None:
    quiet(
        "budget-eaten-by-drafts", "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3), "0.20.2"
    )
