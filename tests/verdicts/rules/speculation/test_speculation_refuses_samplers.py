from verdicts.harness import fires, quiet, spec


def test_two_samplers_are_refused() -> None:
    fires("speculation-refuses-samplers", "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3), "0.33.0")


def test_without_speculation_nothing_is() -> None:
    quiet("speculation-refuses-samplers", "Qwen/Qwen3-8B", "0.33.0")
