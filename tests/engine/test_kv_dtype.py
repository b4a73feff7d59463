"""What ``--kv-cache-dtype`` comes to: by checkpoint, version, device and backend."""

import pytest

from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.kv_dtype import resolved_cache_dtype


def resolved(words: str, version: str, gpu: str | None = "8x H200") -> str:
    deployment = deploy(f"vllm serve {words} --tensor-parallel-size 8", vllm_version=version, gpu=gpu)
    assert deployment.model is not None
    return resolved_cache_dtype(deployment, deployment.model)


@pytest.mark.parametrize(
    ("version", "gpu", "asked", "stored"),
    [
        ("0.11.0", "8x H200", "", "fp8_ds_mla"),
        ("0.11.2", "8x H200", "--kv-cache-dtype bfloat16", "auto"),
        ("0.12.0", "8x H200", "", "auto"),
        ("0.33.0", "8x H200", "", "auto"),
        ("0.17.1", "8x B200", "--kv-cache-dtype fp8", "fp8_ds_mla"),
        ("0.33.0", "8x H200", "--kv-cache-dtype fp8", "fp8_ds_mla"),
        ("0.33.0", "8x B200", "--kv-cache-dtype fp8", "fp8"),
        ("0.33.0", "8x B200", "--kv-cache-dtype fp8 --attention-backend FLASHMLA_SPARSE", "fp8_ds_mla"),
        ("0.33.0", "8x RTX PRO 6000", "", "fp8_ds_mla"),
        ("0.33.0", "8x MI300X", "--kv-cache-dtype fp8", "fp8"),
        ("0.33.0", None, "--kv-cache-dtype fp8", "fp8_ds_mla"),
    ],
)
def test_a_sparse_latent_is_packed_where_version_and_backend_do(
    version: str, gpu: str, asked: str, stored: str
) -> None:
    assert resolved(f"deepseek-ai/DeepSeek-V3.2 {asked}", version, gpu) == stored


def test_glm_5_keeps_fp8_on_datacentre_blackwell_from_0_32() -> None:
    found = [resolved("zai-org/GLM-5", version, "8x B200") for version in ("0.31.0", "0.32.0")]
    assert found == ["auto", "fp8_e4m3"]
    assert resolved("zai-org/GLM-5", "0.33.0", "8x H200") == "auto"


def test_deepseek_v4_is_packed_unless_a_backend_with_plain_rows_is_asked_for() -> None:
    rows = "deepseek-ai/DeepSeek-V4-Flash --attention-backend FLASHINFER_MLA_SPARSE_DSV4"
    assert resolved("deepseek-ai/DeepSeek-V4-Flash", "0.30.0") == "fp8_ds_mla"
    assert resolved(f"{rows} --kv-cache-dtype fp8", "0.30.0") == "fp8"
