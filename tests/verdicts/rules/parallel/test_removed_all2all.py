from verdicts.harness import fires, quiet


def test_pplx_is_replaced() -> None:
    fires("removed-all2all", "Qwen/Qwen3-30B-A3B -dp 2 --enable-expert-parallel --all2all-backend pplx", "0.18.0")


def test_deepep_is_there() -> None:
    quiet(
        "removed-all2all",
        "Qwen/Qwen3-30B-A3B -dp 2 --enable-expert-parallel --all2all-backend deepep_low_latency",
        "0.18.0",
    )
