from verdicts.harness import not_checked, quiet, tells


def test_ampere_has_no_sparse_kernel() -> None:
    found = tells("sparse-mla-device", "deepseek-ai/DeepSeek-V3.2 -tp 8", "0.33.0", gpu="8x A100-SXM-80GB")
    assert "8.0" in found.message


def test_hopper_has() -> None:
    quiet("sparse-mla-device", "deepseek-ai/DeepSeek-V3.2 -tp 8", "0.33.0", gpu="8x H200")


def test_a_backend_that_is_not_vllms_own_may_serve_the_device() -> None:
    launch = "deepseek-ai/DeepSeek-V3.2 -tp 8 --attention-backend B12X_MLA_SPARSE"
    assert not_checked("sparse-mla-device", launch, "0.20.2", "8x RTX PRO 6000") == ("plugins",)
