from verdicts.harness import fires, quiet


def test_stages_cannot_be_resized() -> None:
    fires(
        "elastic-with-pipeline",
        "Qwen/Qwen3-30B-A3B -dp 2 -pp 2 --enable-expert-parallel --enable-eplb --enable-elastic-ep",
        "0.33.0",
    )


def test_ranks_can() -> None:
    quiet(
        "elastic-with-pipeline",
        "Qwen/Qwen3-30B-A3B -dp 2 --enable-expert-parallel --enable-eplb --enable-elastic-ep",
        "0.33.0",
    )
