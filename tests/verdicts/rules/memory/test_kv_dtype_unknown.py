from verdicts.harness import fires, quiet


def test_torchs_name_is_not_vllms() -> None:
    assert "fp8_e4m3fn" in fires("kv-dtype-unknown", "Qwen/Qwen3-8B --kv-cache-dtype fp8_e4m3fn", "0.33.0").message


def test_fp8_is_known() -> None:
    quiet("kv-dtype-unknown", "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.33.0")
