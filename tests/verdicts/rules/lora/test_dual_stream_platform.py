from verdicts.harness import fires, quiet

LORA = "VLLM_LORA_ENABLE_DUAL_STREAM=1 vllm serve Qwen/Qwen3-8B --enable-lora"


def test_a_cpu_has_no_streams() -> None:
    fires("dual-stream-platform", LORA, "0.28.0", gpu="CPU")
    quiet("dual-stream-platform", LORA, "0.28.0")
