from verdicts.harness import fires, quiet


def test_one_rank_splits_nothing() -> None:
    fires(
        "sequence-parallel-alone",
        'Qwen/Qwen3-8B --compilation-config \'{"pass_config":{"enable_sp":true}}\'',
        "0.23.0",
    )


def test_two_ranks_do() -> None:
    quiet(
        "sequence-parallel-alone",
        'Qwen/Qwen3-8B -tp 2 --compilation-config \'{"pass_config":{"enable_sp":true}}\'',
        "0.23.0",
    )
