from verdicts.harness import fires, quiet


def test_e4m3_is_not_the_sparse_layout() -> None:
    found = fires(
        "sparse-mla-kv-dtype", "deepseek-ai/DeepSeek-V3.2 -tp 8 --kv-cache-dtype fp8_e4m3", "0.31.0", gpu="8x H200"
    )
    assert "fp8_e4m3" in found.message


def test_fp8_is() -> None:
    quiet("sparse-mla-kv-dtype", "deepseek-ai/DeepSeek-V3.2 -tp 8 --kv-cache-dtype fp8", "0.31.0", gpu="8x H200")
