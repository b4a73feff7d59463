from verdicts.harness import fires, not_checked, quiet

_RULE = "kv-dtype-of-another-attention"


def test_a_packed_latent_cache_on_dense_attention() -> None:
    assert "sparse latent" in fires(_RULE, "Qwen/Qwen3-8B --kv-cache-dtype fp8_ds_mla", "0.15.1", gpu="H100").message


def test_gaudi_s_on_nvidia() -> None:
    assert "Gaudi" in fires(_RULE, "Qwen/Qwen3-8B --kv-cache-dtype fp8_inc", "0.15.1", gpu="H100").message


def test_sparse_latents_read_it() -> None:
    quiet(_RULE, "deepseek-ai/DeepSeek-V3.2 -tp 8 --kv-cache-dtype fp8_ds_mla", "0.15.1", gpu="8x H200")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked(_RULE, "nobody/unheard-of --kv-cache-dtype fp8_ds_mla", "0.15.1", gpu="H100") == ("model",)
