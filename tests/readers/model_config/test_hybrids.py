"""Layers that keep recurrent state: which they are, and what one sequence keeps in each."""

from typing import Any

import pytest

from vllm_triage.domain import LayerRun, ModelShape
from vllm_triage.facts import models
from vllm_triage.readers.model_config import UnknownArchitecture, read_model_config

BASE: dict[str, Any] = {
    "hidden_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 128,
    "intermediate_size": 2816, "vocab_size": 32000, "max_position_embeddings": 8192, "torch_dtype": "bfloat16",
}  # fmt: skip


def catalogued(name: str) -> ModelShape:
    found = models.find(name)
    assert found is not None
    return read_model_config(found.config, name)


def recurrent(shape: ModelShape) -> LayerRun:
    return next(run for run in shape.runs if run.state)


def tensors(shape: ModelShape) -> list[tuple[tuple[int, ...], int]]:
    return [(tensor.shape, tensor.dtype_bytes) for tensor in recurrent(shape).state]


def test_qwen3_next_attends_in_every_fourth_layer() -> None:
    shape = catalogued("Qwen/Qwen3-Next-80B-A3B-Instruct")
    assert [(run.kind, run.count) for run in shape.runs] == [("linear", 3), ("full", 1)] * 12
    assert recurrent(shape).mixer == "gated_delta"
    assert tensors(shape) == [((3, 8192), 2), ((32, 128, 128), 2)]


def test_a_config_may_ask_for_float32_state() -> None:
    shape = catalogued("Qwen/Qwen3.5-27B")
    assert [width for _, width in tensors(shape)] == [2, 4]


def test_falcon_h1_keeps_both_in_every_layer() -> None:
    shape = catalogued("tiiuae/Falcon-H1-7B-Instruct")
    assert [(run.kind, run.count, run.beside) for run in shape.runs] == [("full", 44, False), ("mamba", 44, True)]


def test_nemotron_h_reads_its_pattern_letter_by_letter() -> None:
    shape = catalogued("nvidia/NVIDIA-Nemotron-Nano-9B-v2")
    counts = {kind: sum(run.count for run in shape.runs if run.kind == kind) for kind in ("mamba", "full", "none")}
    assert counts == {"mamba": 27, "full": 4, "none": 25}
    assert shape.moe is None  # no expert layer in its pattern, whatever the config class would default to


def test_kimi_linear_has_latent_layers_among_delta_attention() -> None:
    shape = catalogued("moonshotai/Kimi-Linear-48B-A3B-Instruct")
    counts = {kind: sum(run.count for run in shape.runs if run.kind == kind) for kind in ("mla", "linear")}
    assert counts == {"mla": 7, "linear": 20}
    assert recurrent(shape).mixer == "kimi_delta"
    assert tensors(shape)[1][1] == 4  # its recurrent state is float32


def test_granite_4_names_its_attention_layers() -> None:
    shape = catalogued("ibm-granite/granite-4.0-h-small")
    assert [(run.kind, run.count) for run in shape.runs if run.kind == "full"] == [("full", 1)] * 4


def test_jamba_attends_once_per_period() -> None:
    config = {**BASE, "architectures": ["JambaForCausalLM"], "model_type": "jamba", "attn_layer_period": 4, "attn_layer_offset": 1,
              "mamba_d_state": 16, "mamba_d_conv": 4, "mamba_expand": 2}  # fmt: skip
    shape = read_model_config(config, "x")
    assert [(run.kind, run.count) for run in shape.runs] == [
        ("mamba", 1),
        ("full", 1),
        ("mamba", 3),
        ("full", 1),
        ("mamba", 2),
    ]
    assert tensors(shape) == [((3, 2048), 2), ((2048, 16), 2)]


def test_minimax_lists_its_attention_layers() -> None:
    config = {**BASE, "architectures": ["MiniMaxText01ForCausalLM"], "model_type": "minimax_text_01",
              "attn_type_list": [0, 0, 0, 1] * 2}  # fmt: skip
    shape = read_model_config(config, "x")
    assert [(run.kind, run.count) for run in shape.runs] == [("linear", 3), ("full", 1)] * 2
    assert tensors(shape) == [((8, 128, 128), 2)]


def test_short_convolutions_are_state_too() -> None:
    config = {**BASE, "architectures": ["Lfm2ForCausalLM"], "model_type": "lfm2", "conv_L_cache": 3,
              "layer_types": ["conv", "conv", "full_attention", "conv"] * 2}  # fmt: skip
    shape = read_model_config(config, "x")
    assert tensors(shape) == [((2, 1024), 2)]
    assert shape.is_hybrid


def test_a_pure_state_model_is_no_hybrid() -> None:
    config = {"architectures": ["Mamba2ForCausalLM"], "model_type": "mamba2", "hidden_size": 1024, "num_hidden_layers": 4,
              "num_heads": 32, "head_dim": 64, "state_size": 128, "n_groups": 8, "conv_kernel": 4, "expand": 2, "vocab_size": 32000,
              "num_attention_heads": 32}  # fmt: skip
    shape = read_model_config(config, "x")
    assert not shape.is_hybrid
    assert tensors(shape) == [((3, 2048 + 2 * 8 * 128), 2), ((32, 64, 128), 2)]
    assert recurrent(shape).state[0].groups == 8


@pytest.mark.parametrize(
    ("config", "lacks"),
    [
        ({"architectures": ["GraniteMoeHybridForCausalLM"], "model_type": "granitemoehybrid", "mamba_n_heads": 32, "mamba_d_head": 64,
          "mamba_d_state": 128, "mamba_d_conv": 4}, "layer_types"),
        ({"architectures": ["KimiLinearForCausalLM"], "model_type": "kimi_linear", "kv_lora_rank": 512}, "linear_attn_config"),
        ({"architectures": ["NemotronHForCausalLM"], "model_type": "nemotron_h", "mamba_num_heads": 8, "mamba_head_dim": 64,
          "ssm_state_size": 128, "conv_kernel": 4}, "hybrid_override_pattern"),
        ({"architectures": ["MiniMaxText01ForCausalLM"], "model_type": "minimax_text_01"}, "attn_type_list"),
    ],
)  # fmt: skip
def test_a_pattern_that_is_missing_is_asked_for_not_guessed(config: dict[str, Any], lacks: str) -> None:
    with pytest.raises(UnknownArchitecture, match=lacks):
        read_model_config({**BASE, **config}, "x")


def test_zamba_2_keeps_state_in_every_layer_and_attends_in_the_listed_ones() -> None:
    config = {
        **BASE, "architectures": ["Zamba2ForCausalLM"], "model_type": "zamba2", "hybrid_layer_ids": [2, 5],
        "attention_hidden_size": 2048, "attention_head_dim": 256, "n_mamba_heads": 8, "mamba_headdim": 256,
        "mamba_d_state": 64, "mamba_d_conv": 4, "mamba_expand": 2, "mamba_ngroups": 1, "num_mem_blocks": 1,
    }  # fmt: skip
    shape = read_model_config(config, "x")
    assert [(run.kind, run.count, run.beside) for run in shape.runs] == [
        ("mamba", 2, False), ("full", 1, False), ("mamba", 1, True),
        ("mamba", 2, False), ("full", 1, False), ("mamba", 1, True), ("mamba", 2, False),
    ]  # fmt: skip
    assert sum(run.count for run in shape.runs if not run.beside) == 8
    assert shape.is_hybrid


def test_ring_3_replaces_lightning_by_delta_attention_and_attends_in_an_unfinished_group() -> None:
    latent = {"kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128}
    config = {**BASE, **latent, "model_type": "bailing_hybrid", "layer_group_size": 3, "num_hidden_layers": 8}
    second = read_model_config({**config, "architectures": ["BailingMoeV2_5ForCausalLM"]}, "x")
    third = read_model_config(
        {**config, "architectures": ["BailingMoeV3ForCausalLM"], "short_conv_kernel_size": 4}, "x"
    )
    assert [(run.kind, run.mixer, run.count) for run in second.runs] == [
        ("linear", "lightning", 2), ("mla", None, 1), ("linear", "lightning", 2), ("mla", None, 1),
        ("linear", "lightning", 2),
    ]  # fmt: skip
    assert [(run.kind, run.mixer, run.count) for run in third.runs] == [
        ("linear", "kimi_delta", 2), ("mla", None, 1), ("linear", "kimi_delta", 2), ("mla", None, 3),
    ]  # fmt: skip


def test_alice_keeps_delta_state_by_layer_types() -> None:
    kinds = ["linear_attention", "linear_attention", "linear_attention", "full_attention"] * 2
    linear = {"linear_num_key_heads": 8, "linear_key_head_dim": 128, "linear_conv_kernel_dim": 4}
    config = {**BASE, **linear, "architectures": ["AliceAIForCausalLM"], "model_type": "alice_ai", "layer_types": kinds}
    shape = read_model_config(config, "x")
    assert [(run.kind, run.count) for run in shape.runs] == [("linear", 3), ("full", 1)] * 2
    assert tensors(shape) == [((3, 3072), 2), ((8, 128, 128), 4)]
