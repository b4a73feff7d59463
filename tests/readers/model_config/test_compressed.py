"""DeepSeek-V4: a window over latents in every layer, and compressed latents beside it."""

from collections import Counter
from typing import Any

import pytest

from vllm_triage.facts import models
from vllm_triage.readers.model_config import UnknownArchitecture, read_model_config

SMALL: dict[str, Any] = {
    "architectures": ["DeepseekV4ForCausalLM"],
    "model_type": "deepseek_v4",
    "hidden_size": 1024,
    "num_hidden_layers": 4,
    "num_attention_heads": 8,
    "num_key_value_heads": 1,
    "head_dim": 512,
    "index_head_dim": 128,
    "index_n_heads": 8,
    "q_lora_rank": 256,
    "o_lora_rank": 256,
    "o_groups": 2,
    "qk_rope_head_dim": 64,
    "sliding_window": 128,
    "vocab_size": 1000,
    "n_routed_experts": 8,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 256,
    "n_shared_experts": 1,
    "max_position_embeddings": 4096,
    "compress_ratios": [0, 4, 128, 0, 0],
}


def test_each_layer_has_its_window_and_some_have_compressed_latents() -> None:
    shape = read_model_config(SMALL, "x")
    assert [(run.kind, run.count, run.compress, run.index_dim, run.beside) for run in shape.runs] == [
        ("mla_window", 1, None, None, False),
        ("mla_compressed", 1, 4, 128, False),
        ("mla_window", 1, None, None, True),
        ("mla_compressed", 1, 128, None, False),
        ("mla_window", 1, None, None, True),
        ("mla_window", 1, None, None, False),
    ]
    assert sum(run.count for run in shape.runs if not run.beside) == shape.layers == 4
    assert (shape.kv_heads, shape.head_dim, shape.uses_mla, shape.is_hybrid) == (1, 512, True, False)


def test_ratios_by_layer_type_are_the_same() -> None:
    renamed = {key: value for key, value in SMALL.items() if key != "compress_ratios"}
    renamed["layer_types"] = ["sliding_attention", "csa", "hca", "sliding_attention"]
    renamed["compress_rates"] = {"csa": 4, "hca": 128}
    assert read_model_config(renamed, "x").runs == read_model_config(SMALL, "x").runs


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"compress_ratios": [0, 16, 0, 0]}, "compresses 16 tokens"),
        ({"compress_ratios": None}, "without 'compress_ratios'"),
    ],
)
def test_other_ratios_are_refused(change: dict[str, Any], named: str) -> None:
    with pytest.raises(UnknownArchitecture, match=named):
        read_model_config({**SMALL, **change}, "x")


def test_the_published_model_counts_its_published_parameters() -> None:
    found = models.find("deepseek-ai/DeepSeek-V4-Flash")
    assert found is not None
    shape = read_model_config(found.config, "x")
    kinds = Counter[str]()
    for run in shape.runs:
        kinds[f"{run.kind}{run.compress or ''}"] += run.count
    assert kinds == {"mla_window": 43, "mla_compressed4": 21, "mla_compressed128": 20}
    assert shape.params_total == pytest.approx(284e9, rel=0.02)
    assert dict(shape.quantization.by_role if shape.quantization else ())["expert"] == 4.25
