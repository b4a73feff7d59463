from verdicts.harness import fires, quiet, spec


def test_adapters_need_fixed_boundaries() -> None:
    fires(
        "adaptive-with-lora",
        "Qwen/Qwen3-8B --enable-lora "
        + spec(method="eagle3", model="x/head", num_speculative_tokens=3, enable_adaptive_verification=True),
        "0.33.0",
    )


def test_without_adapters_it_may_adapt() -> None:
    quiet(
        "adaptive-with-lora",
        "Qwen/Qwen3-8B "
        + spec(method="eagle3", model="x/head", num_speculative_tokens=3, enable_adaptive_verification=True),
        "0.33.0",
    )
