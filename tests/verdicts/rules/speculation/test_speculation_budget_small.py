from verdicts.harness import fires, quiet, spec


def test_two_thousand_tokens_are_few_for_drafting() -> None:
    found = fires(
        "speculation-budget-small",
        "Qwen/Qwen3-8B --max-num-batched-tokens 2048 " + spec(method="ngram", num_speculative_tokens=3),
        "0.31.0",
    )
    assert "2048" in found.message


def test_eight_thousand_are_not() -> None:
    quiet(
        "speculation-budget-small",
        "Qwen/Qwen3-8B --max-num-batched-tokens 8192 " + spec(method="ngram", num_speculative_tokens=3),
        "0.31.0",
    )
