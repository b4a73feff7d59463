from verdicts.harness import fires, quiet, spec


def test_eagle_without_a_head_is_refused() -> None:
    found = fires(
        "speculative-model-missing", "Qwen/Qwen3-8B " + spec(method="eagle", num_speculative_tokens=3), "0.18.0"
    )
    assert '"eagle"' in found.message


def test_ngram_needs_no_draft() -> None:
    quiet("speculative-model-missing", "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3), "0.18.0")


def test_a_proposer_of_ones_own_is_named_as_the_model() -> None:
    fires("speculative-model-missing", "Qwen/Qwen3-8B " + spec(method="custom_class", num_speculative_tokens=3), "0.28.0")
