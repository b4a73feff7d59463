from verdicts.harness import fires, quiet, spec


def test_ngram_without_a_number_of_draft_tokens_is_refused() -> None:
    found = fires("speculative-tokens-missing", "Qwen/Qwen3-8B " + spec(method="ngram"), "0.18.0")
    assert "num_speculative_tokens" in found.message


def test_ngram_with_a_number_of_draft_tokens_starts() -> None:
    quiet("speculative-tokens-missing", "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3), "0.18.0")
