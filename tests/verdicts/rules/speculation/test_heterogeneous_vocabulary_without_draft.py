from verdicts.harness import fires, quiet, spec


def test_ngram_has_no_vocabulary() -> None:
    fires(
        "heterogeneous-vocabulary-without-draft",
        "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3, use_heterogeneous_vocab=True),
        "0.33.0",
    )


def test_a_draft_model_has() -> None:
    quiet(
        "heterogeneous-vocabulary-without-draft",
        "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3, use_heterogeneous_vocab=True),
        "0.33.0",
    )
