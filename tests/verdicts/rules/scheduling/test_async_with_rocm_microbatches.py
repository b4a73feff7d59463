from verdicts.harness import fires, not_checked, quiet

HALVES = "deepseek-ai/DeepSeek-V3 -dp 8 --enable-expert-parallel --enable-dbo --all2all-backend deepep_high_throughput"


def test_what_may_corrupt_is_refused_by_name() -> None:
    fires("async-with-rocm-microbatches", f"{HALVES} --async-scheduling", "0.28.0", gpu="8x MI300X")
    quiet("async-with-rocm-microbatches", HALVES, "0.28.0", gpu="8x MI300X")
    quiet("async-with-rocm-microbatches", f"{HALVES} --async-scheduling", "0.28.0")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("async-with-rocm-microbatches", f"{HALVES} --async-scheduling", "0.28.0") == ("gpu",)
