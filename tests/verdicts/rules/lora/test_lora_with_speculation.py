from verdicts.harness import fires, quiet, spec


def test_drafts_ignore_adapters() -> None:
    fires(
        "lora-with-speculation",
        "Qwen/Qwen3-8B --enable-lora " + spec(method="eagle3", model="x/head", num_speculative_tokens=3),
        "0.33.0",
    )


def test_ngram_does_not_care() -> None:
    quiet(
        "lora-with-speculation",
        "Qwen/Qwen3-8B --enable-lora " + spec(method="ngram", num_speculative_tokens=3),
        "0.33.0",
    )
