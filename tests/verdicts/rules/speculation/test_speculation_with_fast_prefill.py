from verdicts.harness import fires, quiet, spec


def test_mtp_needs_every_hidden_state() -> None:
    fires(
        "speculation-with-fast-prefill",
        "deepseek-ai/DeepSeek-V3 -tp 8 --kv-sharing-fast-prefill " + spec(method="mtp", num_speculative_tokens=1),
        "0.33.0",
    )


def test_ngram_does_not() -> None:
    quiet(
        "speculation-with-fast-prefill",
        "Qwen/Qwen3-8B --kv-sharing-fast-prefill " + spec(method="ngram", num_speculative_tokens=1),
        "0.33.0",
    )
