from verdicts.harness import fires, quiet, spec


def test_ngram_without_a_number_of_draft_tokens_is_refused() -> None:
    found = fires("speculative-tokens-missing", "Qwen/Qwen3-8B " + spec(method="ngram"), "0.18.0")
    assert "num_speculative_tokens" in found.message


def test_ngram_with_a_number_of_draft_tokens_starts() -> None:
    quiet("speculative-tokens-missing", "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3), "0.18.0")


def test_mtp_takes_the_targets_own_heads_only_with_a_number() -> None:
    fires("speculative-tokens-missing", "deepseek-ai/DeepSeek-V3 -tp 8 " + spec(method="mtp"), "0.33.0")


def test_an_mtp_module_that_is_named_brings_its_number() -> None:
    draft = spec(method="mtp", model="deepseek-ai/DeepSeek-V3")
    quiet("speculative-tokens-missing", f"deepseek-ai/DeepSeek-V3 -tp 8 {draft}", "0.33.0")
