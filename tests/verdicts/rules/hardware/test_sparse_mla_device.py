from verdicts.harness import quiet, tells


def test_ampere_has_no_sparse_kernel() -> None:
    found = tells("sparse-mla-device", "deepseek-ai/DeepSeek-V3.2 -tp 8", "0.33.0", gpu="8x A100-SXM-80GB")
    assert "8.0" in found.message


def test_hopper_has() -> None:
    quiet("sparse-mla-device", "deepseek-ai/DeepSeek-V3.2 -tp 8", "0.33.0", gpu="8x H200")
