"""The length a config allows, as ``_get_and_verify_max_len`` derives it."""

from typing import Any

import pytest

from vllm_triage.readers.model_config import read_model_config

CONFIG: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 2,
    "num_attention_heads": 8, "intermediate_size": 2816, "vocab_size": 32000, "max_position_embeddings": 8192,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "length"),
    [
        ({}, 8192),
        ({"max_position_embeddings": None, "n_positions": 1024}, 1024),
        ({"seq_length": 4096}, 4096),  # the smallest named counts
        ({"model_max_length": 131072}, 131072),  # and this one outranks all
        ({"rope_scaling": {"type": "linear", "factor": 4.0}}, 32768),
        ({"rope_scaling": {"rope_type": "dynamic", "factor": 2}}, 16384),
        ({"rope_scaling": {"rope_type": "llama3", "factor": 8.0}}, 8192),
        ({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}}, 8192),
        ({"rope_scaling": {"rope_type": "default"}}, 8192),
        ({"rope_scaling": {"rope_type": "linear", "factor": None}}, 8192),
        ({"rope_scaling": {"type": "longrope"}, "original_max_position_embeddings": 4096}, 4096),
        ({"rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0}, "sliding_attention": {}}}, 65536),
    ],
)  # fmt: skip
def test_the_length_is_the_named_one_scaled_where_its_rope_type_scales(change: dict[str, Any], length: int) -> None:
    assert read_model_config({**CONFIG, **change}, "x").derived_max_model_len == length


def test_yarn_multiplied_its_original_length_before_0_30() -> None:
    rope = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    shape = read_model_config({**CONFIG, "max_position_embeddings": 40960, "rope_scaling": rope}, "x")
    assert (shape.derived_max_model_len, shape.yarn_max_model_len) == (40960, 131072)
    assert read_model_config(CONFIG, "x").yarn_max_model_len is None


def test_gemma_3_is_scaled_already() -> None:
    gemma = {**CONFIG, "architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text", "head_dim": 256,
             "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}  # fmt: skip
    assert read_model_config(gemma, "x").derived_max_model_len == 131072


def test_a_missing_length_is_the_config_class_default() -> None:
    mistral = {key: value for key, value in CONFIG.items() if key != "max_position_embeddings"}
    mistral |= {"architectures": ["MistralForCausalLM"], "model_type": "mistral"}
    assert read_model_config(mistral, "x").derived_max_model_len == 131072
