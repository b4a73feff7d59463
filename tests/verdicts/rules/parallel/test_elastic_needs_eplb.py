from verdicts.harness import fires, quiet


def test_scaling_needs_the_balancer() -> None:
    fires("elastic-needs-eplb", "Qwen/Qwen3-30B-A3B -dp 2 --enable-expert-parallel --enable-elastic-ep", "0.33.0")


def test_with_it_it_starts() -> None:
    quiet(
        "elastic-needs-eplb",
        "Qwen/Qwen3-30B-A3B -dp 2 --enable-expert-parallel --enable-elastic-ep --enable-eplb",
        "0.33.0",
    )
