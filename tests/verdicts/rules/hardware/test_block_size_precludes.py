from verdicts.harness import fires, quiet


def test_eight_tokens_fit_no_fast_kernel() -> None:
    found = fires("block-size-precludes", "Qwen/Qwen3-8B --block-size 8", "0.18.0", gpu="H100-SXM")
    assert "FLASH_ATTN" in found.message


def test_thirty_two_tokens_fit() -> None:
    quiet("block-size-precludes", "Qwen/Qwen3-8B --block-size 32", "0.18.0")
