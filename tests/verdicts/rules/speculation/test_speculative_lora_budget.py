from verdicts.harness import fires, quiet, spec


def test_lora_with_speculation_needs_a_token_per_draft_and_seat() -> None:
    found = fires(
        "speculative-lora-budget",
        "Qwen/Qwen3-8B --enable-lora --max-num-seqs 512 --max-num-batched-tokens 1024 "
        + spec(method="ngram", num_speculative_tokens=3),
        "0.33.0",
    )
    assert "2048 tokens" in found.message


def test_without_lora_the_budget_is_enough() -> None:
    quiet(
        "speculative-lora-budget",
        "Qwen/Qwen3-8B --max-num-seqs 512 --max-num-batched-tokens 1024 "
        + spec(method="ngram", num_speculative_tokens=3),
        "0.33.0",
    )
