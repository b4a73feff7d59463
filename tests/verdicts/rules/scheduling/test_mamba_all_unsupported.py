from verdicts.harness import fires, quiet


def test_qwen_next_cannot_keep_all_states() -> None:
    fires(
        "mamba-all-unsupported",
        "Qwen/Qwen3-Next-80B-A3B-Instruct -tp 4 --enable-prefix-caching --mamba-cache-mode all",
        "0.31.0",
    )


def test_falcon_can() -> None:
    quiet(
        "mamba-all-unsupported",
        "tiiuae/Falcon-H1-7B-Instruct --enable-prefix-caching --mamba-cache-mode all",
        "0.31.0",
    )
