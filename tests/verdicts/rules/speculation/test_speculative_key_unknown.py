from verdicts.harness import fires, quiet, spec


def test_a_misspelt_key_is_refused_with_the_nearest_one() -> None:
    found = fires(
        "speculative-key-unknown",
        "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3, prompt_lookup_maxx=4),
        "0.33.0",
    )
    assert '(nearest: "prompt_lookup_max")' in found.message


def test_known_keys_are_accepted() -> None:
    quiet("speculative-key-unknown", "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3), "0.33.0")
