from verdicts.harness import fires, quiet, spec


def test_a_short_draft_shortens_the_target() -> None:
    found = fires(
        "draft-shortens-context",
        "meta-llama/Llama-3.1-8B-Instruct "
        + spec(model="meta-llama/Meta-Llama-3-8B-Instruct", num_speculative_tokens=3),
        "0.33.0",
    )
    assert "8192" in found.message


def test_a_draft_as_long_does_not() -> None:
    quiet(
        "draft-shortens-context",
        "meta-llama/Llama-3.1-8B-Instruct " + spec(model="meta-llama/Llama-3.2-1B-Instruct", num_speculative_tokens=3),
        "0.33.0",
    )
