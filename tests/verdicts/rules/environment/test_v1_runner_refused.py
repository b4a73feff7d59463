from verdicts.harness import fires, quiet, spec


def test_dspark_has_no_v1() -> None:
    found = fires(
        "v1-runner-refused",
        "VLLM_USE_V2_MODEL_RUNNER=0 vllm serve Qwen/Qwen3-8B "
        + spec(method="dspark", model="x/head", num_speculative_tokens=5),
        "0.33.0",
    )
    assert "dspark" in found.message


def test_without_the_variable_it_runs() -> None:
    quiet(
        "v1-runner-refused",
        "Qwen/Qwen3-8B " + spec(method="dspark", model="x/head", num_speculative_tokens=5),
        "0.33.0",
    )


def test_context_parallelism_needed_v2_first() -> None:
    fires("v1-runner-refused", "VLLM_USE_V2_MODEL_RUNNER=0 vllm serve deepseek-ai/DeepSeek-V3 -tp 4 -pcp 2", "0.28.0")


def test_watermarking_outranks_the_variable_from_0_30() -> None:
    command = "VLLM_USE_V2_MODEL_RUNNER=0 vllm serve Qwen/Qwen3-8B --enable-batch-sharded-sampling -tp 2"
    fires("v1-runner-refused", command, "0.33.0")
    quiet("v1-runner-refused", command + " --watermark-config '{\"key\": 1}'", "0.33.0")
