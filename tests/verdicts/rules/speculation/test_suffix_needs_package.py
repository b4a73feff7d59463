from verdicts.harness import fires, quiet, spec


def test_suffix_decoding_asks_for_its_package() -> None:
    fires("suffix-needs-package", "Qwen/Qwen3-8B " + spec(method="suffix", num_speculative_tokens=8), "0.18.0")


def test_ngram_needs_nothing() -> None:
    quiet("suffix-needs-package", "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=8), "0.18.0")
