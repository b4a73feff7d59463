from verdicts.harness import fires, quiet


def test_state_is_saved_between_chunks() -> None:
    fires("mamba-needs-chunks", "tiiuae/Falcon-H1-7B-Instruct --no-enable-chunked-prefill", "0.33.0")


def test_without_prefix_caching_nothing_is_saved() -> None:
    quiet(
        "mamba-needs-chunks",
        "tiiuae/Falcon-H1-7B-Instruct --no-enable-chunked-prefill --no-enable-prefix-caching",
        "0.33.0",
    )
