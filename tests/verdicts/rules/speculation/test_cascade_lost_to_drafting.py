from verdicts.harness import fires, quiet, spec


def test_cascade_attention_is_dropped() -> None:
    fires(
        "cascade-lost-to-drafting",
        "Qwen/Qwen3-8B --no-disable-cascade-attn " + spec(method="ngram_gpu", num_speculative_tokens=3),
        "0.23.0",
    )


def test_without_speculation_it_stays() -> None:
    quiet("cascade-lost-to-drafting", "Qwen/Qwen3-8B --no-disable-cascade-attn", "0.23.0")
