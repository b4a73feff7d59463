from verdicts.harness import fires, quiet


def test_state_was_not_cached() -> None:
    fires("mamba-caching-unsupported", "tiiuae/Falcon-H1-7B-Instruct --enable-prefix-caching", "0.10.2")


def test_attention_was() -> None:
    quiet("mamba-caching-unsupported", "Qwen/Qwen3-8B --enable-prefix-caching", "0.10.2")
