from verdicts.harness import fires, quiet


def test_a_block_longer_than_the_context_is_never_shared() -> None:
    fires(
        "hybrid-prefix-block",
        "tiiuae/Falcon-H1-7B-Instruct --enable-prefix-caching --max-model-len 1024",
        "0.33.0",
        gpu=';; "1568"',
    )


def test_a_longer_context_shares_blocks() -> None:
    quiet("hybrid-prefix-block", "tiiuae/Falcon-H1-7B-Instruct --enable-prefix-caching --max-model-len 8192", "0.33.0")
