from verdicts.harness import fires, not_checked, quiet

QWEN = "Qwen/Qwen3-8B --attention-backend"


def test_names_of_two_engines_are_gone() -> None:
    for name in ("XFORMERS", "FLASHINFER_VLLM_V1", "TRITON_ATTN_VLLM_V1", "flash_atn"):
        fires("attention-backend-unknown", f"{QWEN} {name}", "0.28.0")
    fires("attention-backend-unknown", "VLLM_ATTENTION_BACKEND=XFORMERS vllm serve Qwen/Qwen3-8B", "0.14.0")


def test_names_come_and_go_by_release() -> None:
    assert "0.25.0" in fires("attention-backend-unknown", f"{QWEN} HPC_ATTN", "0.23.0").message
    assert "0.20.2" in fires("attention-backend-unknown", f"{QWEN} TREE_ATTN", "0.28.0").message
    quiet("attention-backend-unknown", f"{QWEN} TREE_ATTN", "0.19.1")
    quiet("attention-backend-unknown", f"{QWEN} flash_attn", "0.28.0")


def test_a_plugin_may_bring_its_own() -> None:
    command = "VLLM_PLUGINS=mine vllm serve Qwen/Qwen3-8B --attention-backend MINE"
    assert not_checked("attention-backend-unknown", command, "0.28.0", gpu="H100") == ("plugins",)


def test_a_development_build_may_have_more_than_its_release() -> None:
    assert not_checked("attention-backend-unknown", f"{QWEN} B12X_MLA_SPARSE", "0.20.2rc1.dev249") == ("plugins",)
