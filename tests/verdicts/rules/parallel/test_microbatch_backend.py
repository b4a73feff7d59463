from verdicts.harness import fires, quiet


def test_overlap_needs_deepep() -> None:
    fires("microbatch-backend", "Qwen/Qwen3-30B-A3B -dp 2 --enable-expert-parallel --enable-dbo", "0.33.0")


def test_with_deepep_it_starts() -> None:
    quiet(
        "microbatch-backend",
        "Qwen/Qwen3-30B-A3B -dp 2 --enable-expert-parallel --enable-dbo --all2all-backend deepep_low_latency",
        "0.33.0",
    )
