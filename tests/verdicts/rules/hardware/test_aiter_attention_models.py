from verdicts.harness import fires, not_checked, quiet

AITER = "--attention-backend ROCM_AITER_FA"


def test_it_attends_in_decoders_alone() -> None:
    fires("aiter-attention-models", f"openai/whisper-large-v3 {AITER}", "0.28.0", gpu="8x MI300X")
    quiet("aiter-attention-models", f"Qwen/Qwen3-8B {AITER}", "0.28.0", gpu="8x MI300X")


def test_its_shuffled_layout_has_no_sinks() -> None:
    shuffled = f"VLLM_ROCM_SHUFFLE_KV_CACHE_LAYOUT=1 vllm serve openai/gpt-oss-120b {AITER}"
    fires("aiter-attention-models", shuffled, "0.28.0", gpu="8x MI300X")


def test_an_unknown_device_is_not_judged() -> None:
    assert "gpu" in not_checked("aiter-attention-models", f"openai/whisper-large-v3 {AITER}", "0.28.0")
