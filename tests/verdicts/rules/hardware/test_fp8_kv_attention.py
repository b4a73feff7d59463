from verdicts.harness import fires, quiet


def test_ampere_falls_to_flashinfer() -> None:
    found = fires("fp8-kv-attention", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.18.0", gpu="A100-SXM-80GB")
    assert "FLASHINFER" in found.message


def test_hopper_reads_it_with_flash_attention() -> None:
    quiet("fp8-kv-attention", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.18.0", gpu="H100-SXM")


def test_ampere_has_no_e4m3_in_the_first_release_without_the_v0_engine() -> None:
    assert "8.9" in fires("fp8-kv-attention", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.11.0", gpu="RTX 3090").message
