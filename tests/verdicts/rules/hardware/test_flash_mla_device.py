from verdicts.harness import fires, quiet

LITE = "VLLM_ATTENTION_BACKEND=FLASHMLA vllm serve deepseek-ai/DeepSeek-V2-Lite --block-size 64"


def test_flashmla_runs_on_hopper_alone() -> None:
    fires("flash-mla-device", LITE, "0.8.5", gpu="A100-80GB")
    quiet("flash-mla-device", LITE, "0.8.5", gpu="H100-SXM")
