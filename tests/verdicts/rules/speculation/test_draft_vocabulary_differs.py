from verdicts.harness import fires, not_checked, quiet, spec


def test_a_draft_of_another_family_is_refused() -> None:
    found = fires(
        "draft-vocabulary-differs",
        "Qwen/Qwen3-8B " + spec(model="meta-llama/Llama-3.2-1B-Instruct", num_speculative_tokens=3),
        "0.18.0",
    )
    assert "128256" in found.message


def test_a_draft_of_the_same_family_is_accepted() -> None:
    quiet(
        "draft-vocabulary-differs", "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3), "0.18.0"
    )


def test_vocabularies_may_be_mapped_from_0_25() -> None:
    quiet(
        "draft-vocabulary-differs",
        "Qwen/Qwen3-8B "
        + spec(model="meta-llama/Llama-3.2-1B-Instruct", num_speculative_tokens=3, use_heterogeneous_vocab=True),
        "0.31.0",
    )


def test_an_unknown_draft_is_not_judged() -> None:
    assert not_checked(
        "draft-vocabulary-differs",
        "Qwen/Qwen3-8B " + spec(model="nobody/unheard-of", num_speculative_tokens=3),
        "0.18.0",
        gpu="H100",
    ) == ("draft model",)
