from verdicts.harness import fires, quiet


def test_one_balancer_is_enough() -> None:
    fires(
        "both-load-balancers",
        "Qwen/Qwen3-30B-A3B -dp 2 --data-parallel-hybrid-lb --data-parallel-external-lb --data-parallel-rank 0",
        "0.18.0",
    )


def test_the_hybrid_one_alone_starts() -> None:
    quiet("both-load-balancers", "Qwen/Qwen3-30B-A3B -dp 2 --data-parallel-hybrid-lb", "0.18.0")
