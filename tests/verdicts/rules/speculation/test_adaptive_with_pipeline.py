from verdicts.harness import fires, quiet, spec


def test_stages_would_diverge() -> None:
    fires(
        "adaptive-with-pipeline",
        "Qwen/Qwen3-8B -pp 2 "
        + spec(method="eagle3", model="x/head", num_speculative_tokens=3, enable_adaptive_verification=True),
        "0.33.0",
    )


def test_one_stage_cannot() -> None:
    quiet(
        "adaptive-with-pipeline",
        "Qwen/Qwen3-8B "
        + spec(method="eagle3", model="x/head", num_speculative_tokens=3, enable_adaptive_verification=True),
        "0.33.0",
    )
