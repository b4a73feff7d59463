from verdicts.harness import fires, quiet, spec


def test_a_method_said_twice_is_refused() -> None:
    found = fires(
        "speculation-said-twice",
        "Qwen/Qwen3-8B --spec-method ngram " + spec(method="ngram", num_speculative_tokens=3),
        "0.31.0",
    )
    assert "--spec-method" in found.message


def test_said_once_it_is_fine() -> None:
    quiet("speculation-said-twice", "Qwen/Qwen3-8B --spec-method ngram --spec-tokens 3", "0.31.0")
