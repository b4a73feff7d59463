from verdicts.harness import fires, quiet


def test_one_state_has_no_blocks() -> None:
    fires(
        "mamba-block-without-caching",
        "tiiuae/Falcon-H1-7B-Instruct --no-enable-prefix-caching --mamba-block-size 64",
        "0.33.0",
    )


def test_with_prefix_caching_it_has() -> None:
    quiet(
        "mamba-block-without-caching",
        "tiiuae/Falcon-H1-7B-Instruct --enable-prefix-caching --mamba-block-size 64",
        "0.33.0",
    )
