from verdicts.harness import fires, quiet, spec


def test_medusa_is_gone_from_0_33() -> None:
    found = fires(
        "speculative-value-refused",
        "Qwen/Qwen3-8B " + spec(method="medusa", model="x/medusa", num_speculative_tokens=3),
        "0.33.0",
    )
    assert "medusa" in found.message


def test_no_drafts_are_refused() -> None:
    found = fires(
        "speculative-value-refused", "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=0), "0.33.0"
    )
    assert "more than 0" in found.message


def test_medusa_was_there_in_0_32() -> None:
    quiet(
        "speculative-value-refused",
        "Qwen/Qwen3-8B " + spec(method="medusa", model="x/medusa", num_speculative_tokens=3),
        "0.32.0",
    )
