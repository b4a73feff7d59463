from verdicts.harness import fires, not_checked, quiet

SPREAD = "-tp 8 --decode-context-parallel-size 2"


def test_flashinfers_mla_of_blackwell_returns_it_from_0_25() -> None:
    fires("dcp-backend", f"deepseek-ai/DeepSeek-V3 {SPREAD}", "0.18.0", gpu="8x B200")
    quiet("dcp-backend", f"deepseek-ai/DeepSeek-V3 {SPREAD}", "0.28.0", gpu="8x B200")
    quiet("dcp-backend", f"deepseek-ai/DeepSeek-V3 {SPREAD}", "0.18.0")


def test_a_named_backend_is_held_to_it() -> None:
    fires("dcp-backend", f"Qwen/Qwen3-235B-A22B {SPREAD} --attention-backend TRITON_ATTN", "0.23.0")
    quiet("dcp-backend", f"Qwen/Qwen3-235B-A22B {SPREAD}", "0.23.0")


def test_sparse_attention_has_it_on_hopper_from_0_29_and_on_rocm_never() -> None:
    sparse = f"deepseek-ai/DeepSeek-V3.2 {SPREAD}"
    fires("dcp-backend", sparse, "0.26.0", gpu="8x H200")
    quiet("dcp-backend", sparse, "0.31.0", gpu="8x H200")
    fires("dcp-backend", sparse, "0.31.0", gpu="8x MI355X")


def test_an_unknown_device_is_not_judged() -> None:
    assert "gpu" in not_checked("dcp-backend", f"deepseek-ai/DeepSeek-V3 {SPREAD}", "0.18.0")
