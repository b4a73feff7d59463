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


def test_0_28_and_0_29_ask_for_captured_graphs_of_any_kind() -> None:
    drafts = spec(method="dspark", num_speculative_tokens=3, enable_adaptive_verification=True)
    for version in ("0.28.0", "0.29.0"):
        fires("adaptive-without-full-graphs", "deepseek-ai/DeepSeek-V4-Flash --enforce-eager " + drafts, version)
        quiet(
            "adaptive-without-full-graphs",
            "deepseek-ai/DeepSeek-V4-Flash --compilation-config '{\"cudagraph_mode\":\"PIECEWISE\"}' " + drafts, version,
        )  # fmt: skip
