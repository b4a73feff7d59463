"""What a checkpoint's quantization reaches, and with how many bits."""

from typing import Any

import pytest

from vllm_triage.domain import Quantization
from vllm_triage.facts import models
from vllm_triage.readers.model_config import read_model_config

CONFIG: dict[str, Any] = {
    "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "hidden_size": 1024, "num_hidden_layers": 8,
    "num_attention_heads": 8, "intermediate_size": 2816, "vocab_size": 32000, "max_position_embeddings": 8192,
    "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 512,
}  # fmt: skip


def read(raw: object) -> Quantization | None:
    return read_model_config({**CONFIG, "quantization_config": raw}, "x").quantization


def roles(name: str) -> dict[str, float]:
    found = models.find(name)
    assert found is not None
    quantization = read_model_config(found.config, name).quantization
    assert quantization is not None
    return dict(quantization.by_role)


@pytest.mark.parametrize(
    ("raw", "method", "bits"),
    [
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, "fp8", 8.0),
        ({"quant_method": "awq", "bits": 4, "group_size": 128}, "awq", 4.125),
        ({"quant_method": "gptq", "bits": 8, "group_size": 32}, "gptq", 8.0),
        ({"quant_method": "mxfp4"}, "mxfp4", 4.25),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "bitsandbytes", 4.5),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "bitsandbytes", 8.0),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "modelopt_fp4", 4.5),
        ({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8"}}, "modelopt", 8.0),
        ({"quant_method": "compressed_tensors", "config_groups": {"group_0": {"targets": ["Linear"],
          "weights": {"num_bits": 4, "type": "int", "group_size": 128}}}}, "compressed-tensors", 4.125),
    ],
)  # fmt: skip
def test_method_and_bits_by_the_names_checkpoints_use(raw: object, method: str, bits: float) -> None:
    found = read(raw)
    assert found is not None
    assert (found.method, found.weight_bits) == (method, bits)


@pytest.mark.parametrize("raw", [None, {}, [], "fp8", 8])
def test_no_quantization_is_none(raw: object) -> None:
    found = read(raw)
    assert found is None or found.by_role == ()


def test_mxfp4_reaches_the_experts_alone() -> None:
    assert roles("openai/gpt-oss-20b") == {"expert": 4.25}


def test_modules_left_out_keep_their_type() -> None:
    assert set(roles("nvidia/MiniMax-M2.5-NVFP4")) == {"mlp", "expert", "shared_expert", "state"}
    assert set(roles("nvidia/Gemma-4-31B-IT-NVFP4")) == {"mlp", "expert", "shared_expert", "state"}


def test_modules_left_out_in_a_few_layers_only_do_not_count() -> None:
    """Three dense layers kept in 16 bits do not make a model unquantized."""
    listed = ["lm_head", *(f"model.layers.{i}.self_attn.q_proj" for i in range(8)), "model.layers.0.mlp.gate_proj"]
    found = read({"quant_method": "compressed-tensors", "bits": 8, "ignore": listed})
    assert found is not None
    assert "mlp" in dict(found.by_role)
    assert "attention" not in dict(found.by_role)


def test_mixed_precision_gives_each_role_its_own_bits() -> None:
    found = roles("nvidia/Qwen3.6-35B-A3B-NVFP4")
    assert found["expert"] == 4.5
    assert found["attention"] == 8.0


@pytest.mark.parametrize(
    ("raw", "scheme"),
    [
        ({"kv_cache_quant_algo": "FP8"}, "fp8"),
        ({"kv_cache_scheme": {"num_bits": 8, "type": "float"}}, "fp8"),
        ({"kv_cache_scheme": {"num_bits": 8, "type": "int"}}, "int8"),
        ({"quantization": {"kv_cache_quant_algo": "FP8"}}, "fp8"),
        ({"kv_cache_scheme": None}, None),
    ],
)
def test_a_kv_scheme_stored_with_the_weights_is_read(raw: dict[str, Any], scheme: str | None) -> None:
    found = read({"quant_method": "modelopt", **raw})
    assert found is not None
    assert found.kv_cache == scheme
