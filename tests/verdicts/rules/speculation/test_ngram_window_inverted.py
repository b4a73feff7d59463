from verdicts.harness import fires, quiet, spec


def test_a_minimum_above_the_maximum_is_refused() -> None:
    found = fires(
        "ngram-window-inverted",
        "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3, prompt_lookup_min=5, prompt_lookup_max=2),
        "0.33.0",
    )
    assert "prompt_lookup_min is 5" in found.message


def test_a_maximum_alone_is_enough() -> None:
    quiet(
        "ngram-window-inverted",
        "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3, prompt_lookup_max=2),
        "0.33.0",
    )
