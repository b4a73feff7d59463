from verdicts.harness import fires, quiet, spec


def test_eager_execution_has_no_graphs() -> None:
    fires(
        "adaptive-without-full-graphs",
        "Qwen/Qwen3-8B --enforce-eager "
        + spec(method="eagle3", model="x/head", num_speculative_tokens=3, enable_adaptive_verification=True),
        "0.33.0",
    )


def test_the_default_has() -> None:
    quiet(
        "adaptive-without-full-graphs",
        "Qwen/Qwen3-8B "
        + spec(method="eagle3", model="x/head", num_speculative_tokens=3, enable_adaptive_verification=True),
        "0.33.0",
    )
