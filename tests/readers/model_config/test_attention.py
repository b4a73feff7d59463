"""What each layer caches, read from real configs and from ones that mean something else than they say."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import settings as limits
from hypothesis import strategies as st

from vllm_triage.facts import models
from vllm_triage.readers.model_config import UnknownArchitecture, read_model_config

DENSE: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 4,
    "num_attention_heads": 16, "num_key_value_heads": 4, "intermediate_size": 2816, "vocab_size": 32000,
    "max_position_embeddings": 4096, "torch_dtype": "bfloat16",
}  # fmt: skip


def kinds(name: str) -> list[tuple[str, int]]:
    found = models.find(name)
    assert found is not None
    return [(run.kind, run.count) for run in read_model_config(found.config, name).runs]


def layers(config: dict[str, Any]) -> list[tuple[str, int, int, int | None]]:
    runs = read_model_config(config, "x").runs
    return [(run.kind, run.kv_heads, run.head_dim, run.window) for run in runs for _ in range(run.count)]


def test_grouped_query_attention_is_read_with_its_heads() -> None:
    assert layers(DENSE) == [("full", 4, 64, None)] * 4


def test_a_missing_head_count_means_as_many_as_query_heads() -> None:
    plain = {key: value for key, value in DENSE.items() if key != "num_key_value_heads"}
    assert layers(plain) == [("full", 16, 64, None)] * 4


def test_gemma_3_has_a_full_layer_after_five_windows() -> None:
    assert kinds("google/gemma-3-27b-it") == [("sliding_window", 5), ("full", 1)] * 10 + [("sliding_window", 2)]


def test_gpt_oss_alternates_beginning_with_a_window() -> None:
    assert kinds("openai/gpt-oss-20b") == [("sliding_window", 1), ("full", 1)] * 12


@pytest.mark.parametrize(
    ("change", "window"),
    [
        ({"sliding_window": 512}, 512),
        ({"sliding_window": None}, None),
        ({"sliding_window": 0}, None),
        ({}, 4096),  # the config class's default
    ],
)
def test_mistral_has_a_window_unless_its_config_says_none(change: dict[str, Any], window: int | None) -> None:
    config = {**DENSE, "architectures": ["MistralForCausalLM"], "model_type": "mistral", **change}
    kind = "sliding_window" if window else "full"
    assert layers(config) == [(kind, 4, 64, window)] * 4


def test_qwen_has_no_window_before_it_is_switched_on() -> None:
    qwen = {
        **DENSE,
        "architectures": ["Qwen2ForCausalLM"],
        "model_type": "qwen2",
        "sliding_window": 1000,
        "max_window_layers": 2,
    }
    assert {kind for kind, *_ in layers(qwen)} == {"full"}
    on = {**qwen, "use_sliding_window": True}
    assert [kind for kind, *_ in layers(on)] == ["full", "full", "sliding_window", "sliding_window"]


def test_qwen2_takes_its_own_head_size_whatever_the_config_says() -> None:
    qwen = {**DENSE, "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "head_dim": 128}
    assert layers(qwen)[0][2] == 64


def test_layer_types_outrank_every_pattern() -> None:
    types = ["full_attention", "sliding_attention", "sliding_attention", "full_attention"]
    gemma = {**DENSE, "architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text", "head_dim": 256, "layer_types": types,
             "sliding_window": 512}  # fmt: skip
    assert [kind for kind, *_ in layers(gemma)] == ["full", "sliding_window", "sliding_window", "full"]


def test_cohere_windows_count_the_token_itself() -> None:
    cohere = {**DENSE, "architectures": ["Cohere2ForCausalLM"], "model_type": "cohere2", "sliding_window": 4096}
    assert [window for *_, window in layers(cohere)] == [4097, 4097, 4097, None]


def test_exaone_patterns_are_words_too() -> None:
    exaone = {**DENSE, "architectures": ["Exaone4ForCausalLM"], "model_type": "exaone4", "sliding_window": 1024,
              "sliding_window_pattern": "LLG"}  # fmt: skip
    assert [kind for kind, *_ in layers(exaone)] == ["sliding_window", "sliding_window", "full", "sliding_window"]


def test_llama_4_attends_in_chunks_but_for_every_fourth_layer() -> None:
    assert kinds("meta-llama/Llama-4-Scout-17B-16E-Instruct") == [("chunked_local", 3), ("full", 1)] * 12


def test_latent_attention_is_one_head_of_its_rank_and_rope() -> None:
    assert kinds("deepseek-ai/DeepSeek-V3") == [("mla", 61)]
    found = models.find("deepseek-ai/DeepSeek-V3")
    assert found is not None
    (run,) = read_model_config(found.config, "v3").runs
    assert (run.kv_heads, run.head_dim, run.index_dim) == (1, 576, None)


def test_sparse_latent_attention_carries_its_indexer() -> None:
    found = models.find("deepseek-ai/DeepSeek-V3.2")
    assert found is not None
    (run,) = read_model_config(found.config, "v3.2").runs
    assert (run.kind, run.count, run.index_dim) == ("mla_sparse", 61, 128)


def test_deepseek_without_ranks_is_not_latent() -> None:
    config = {
        **DENSE,
        "architectures": ["DeepseekV2ForCausalLM"],
        "model_type": "deepseek_v2",
        "kv_lora_rank": None,
        "head_dim": 64,
    }
    assert layers(config)[0][:3] == ("full", 4, 64)


def test_gemma_4_full_layers_have_their_own_heads() -> None:
    found = models.find("google/gemma-4-26B-A4B")
    assert found is not None
    runs = read_model_config(found.config, "gemma-4").runs
    assert {(run.kind, run.kv_heads, run.head_dim) for run in runs} == {("sliding_window", 8, 256), ("full", 2, 512)}


def test_layers_that_share_an_earlier_cache_keep_none() -> None:
    gemma = {**DENSE, "architectures": ["Gemma3nForCausalLM"], "model_type": "gemma3n_text", "num_hidden_layers": 10, "head_dim": 256,
             "num_kv_shared_layers": 4, "sliding_window": 512}  # fmt: skip
    assert [run.kind for run in read_model_config(gemma, "x").runs][-1] == "none"
    assert sum(run.count for run in read_model_config(gemma, "x").runs if run.kind == "none") == 4


def test_each_block_of_a_searched_model_has_its_own_heads() -> None:
    found = models.find("nvidia/Llama-3_3-Nemotron-Super-49B-v1")
    assert found is not None
    runs = read_model_config(found.config, "nas").runs
    assert sum(run.count for run in runs) == 80
    assert {run.kind for run in runs} == {"full", "none"}


def test_whisper_keeps_its_own_tokens_and_the_encoder_output() -> None:
    found = models.find("openai/whisper-large-v3")
    assert found is not None
    shape = read_model_config(found.config, "whisper")
    assert [(run.kind, run.count, run.beside) for run in shape.runs] == [("full", 32, False), ("cross", 32, True)]
    assert shape.is_encoder_decoder


def test_a_multimodal_config_is_read_by_its_language_model() -> None:
    nested = {"architectures": ["LlavaForConditionalGeneration"], "model_type": "llava", "vision_config": {"hidden_size": 64},
              "text_config": {key: value for key, value in DENSE.items() if key != "architectures"}}  # fmt: skip
    shape = read_model_config(nested, "x")
    assert shape.is_multimodal
    assert (shape.model_type, shape.layers) == ("llama", 4)
    omni = {"architectures": ["Qwen3OmniMoeForConditionalGeneration"], "model_type": "qwen3_omni_moe",
            "thinker_config": {"text_config": {**DENSE, "model_type": "qwen3_omni_moe_text"}}}  # fmt: skip
    assert read_model_config(omni, "x").layers == 4


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"architectures": ["RetNetForCausalLM"], "model_type": "retnet"}, "RetNetForCausalLM"),
        ({"architectures": ["RWKV7ForCausalLM"], "model_type": "rwkv7"}, "RWKV7ForCausalLM"),
        ({"linear_attn_config": {"num_heads": 4}}, "linear_attn_config"),
        ({"layer_types": ["full_attention", "retention"] * 2}, "retention"),
        ({"ssm_state_size": 128}, "ssm_state_size"),
        ({"architectures": ["DeepseekV41ForCausalLM"], "model_type": "deepseek_v41"}, "DeepseekV41ForCausalLM"),
    ],
)
def test_unknown_attention_is_refused_by_name(change: dict[str, Any], named: str) -> None:
    with pytest.raises(UnknownArchitecture, match=named):
        read_model_config({**DENSE, **change}, "x")


def test_a_config_that_names_no_architecture_is_refused() -> None:
    nameless = {key: value for key, value in DENSE.items() if key not in ("architectures", "model_type")}
    with pytest.raises(UnknownArchitecture, match="neither"):
        read_model_config(nameless, "x")


@pytest.mark.parametrize("key", ["hidden_size", "num_hidden_layers"])
@pytest.mark.parametrize("value", [None, 0, -1, "many", 1.5, True])
def test_a_size_that_is_no_size_is_said(key: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"no usable '{key}'"):
        read_model_config({**DENSE, key: value}, "x")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 10**6) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
keys = st.sampled_from([
    "layer_types", "sliding_window", "head_dim", "num_key_value_heads", "text_config", "quantization_config", "rope_scaling",
    "kv_lora_rank", "num_experts", "vision_config", "torch_dtype", "architectures", "model_type", "intermediate_size",
    "tie_word_embeddings", "use_sliding_window", "moe_layer_freq", "vocab_size",
])  # fmt: skip


@limits(max_examples=150, deadline=None)
@given(st.dictionaries(keys, json_values, max_size=5))
@example({"intermediate_size": 1.5e304})
def test_any_config_is_read_or_refused_with_a_sentence(change: dict[str, Any]) -> None:
    try:
        shape = read_model_config({**DENSE, **change}, "x")
    except ValueError:
        return
    assert sum(run.count for run in shape.runs) >= 1


def test_minimax_m3_has_an_indexer_beside_keys_and_values_in_its_sparse_layers() -> None:
    found = models.find("MiniMaxAI/MiniMax-M3")
    assert found is not None
    shape = read_model_config(found.config, "x")
    assert [(run.kind, run.count, run.kv_heads, run.index_dim) for run in shape.runs] == [
        ("full", 3, 4, None),
        ("full", 57, 4, 128),
    ]


def test_a_looped_model_has_one_cache_for_every_pass_over_its_layers() -> None:
    config = {**DENSE, "architectures": ["IQuestLoopCoderForCausalLM"], "model_type": "iquest_loopcoder",
              "loop_num": 2, "loop_window_size": 64}  # fmt: skip
    runs = read_model_config(config, "x").runs
    assert [(run.kind, run.count, run.window, run.beside) for run in runs] == [
        ("full", DENSE["num_hidden_layers"], None, False),
        ("sliding_window", DENSE["num_hidden_layers"], 64, True),
    ]


def test_hunyuan_4_chooses_tokens_in_indexed_layers_alone() -> None:
    config = {
        **DENSE, "architectures": ["HYV4ForCausalLM"], "model_type": "hy_v4", "num_hidden_layers": 4,
        "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "index_topk": 2048,
        "index_head_dim": 128, "layer_types": ["full_attention", *["indexed_attention"] * 3],
        "indexer_types": ["full", "full", "shared", "full"],
    }  # fmt: skip
    runs = read_model_config(config, "x").runs
    assert [(run.kind, run.index_dim) for run in runs] == [
        ("mla", None), ("mla_sparse", 128), ("mla_sparse", None), ("mla_sparse", 128),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "config",
    [
        {"architectures": ["CohereAsrForConditionalGeneration"], "model_type": "cohere_asr", "hidden_size": 1024,
         "num_hidden_layers": 8, "num_attention_heads": 8, "intermediate_size": 4096, "vocab_size": 16384},
        {"architectures": ["CohereAsrForConditionalGeneration"], "model_type": "cohere_asr", "head": {"num_classes": 9},
         "transf_decoder": {"config_dict": {"hidden_size": 1024, "num_layers": 8, "num_attention_heads": 8}}},
        {"architectures": ["NemotronParseForConditionalGeneration"], "model_type": "nemotron_parse",
         "decoder": {"d_model": 1024, "decoder_layers": 8, "decoder_attention_heads": 8, "vocab_size": 50000}},
    ],
)  # fmt: skip
def test_other_encoder_decoders_keep_the_encoder_output_too(config: dict[str, Any]) -> None:
    shape = read_model_config(config, "x")
    assert [(run.kind, run.count, run.kv_heads, run.head_dim) for run in shape.runs] == [
        ("full", 8, 8, 128), ("cross", 8, 8, 128),
    ]  # fmt: skip
    assert shape.is_encoder_decoder


def test_every_run_of_a_looped_block_has_a_cache() -> None:
    config = {**DENSE, "architectures": ["DoryForCausalLM"], "model_type": "dory", "sliding_window": 512,
              "layer_types": ["sliding_attention", "mlp", "full_attention", "mlp"], "n_input_layers": 2,
              "n_output_layers": 0, "n_recurrent_loops": 3}  # fmt: skip
    runs = read_model_config(config, "x").runs
    assert [(run.kind, run.count, run.beside) for run in runs] == [
        ("sliding_window", 1, False), ("none", 1, False), ("full", 1, False), ("full", 2, True), ("none", 1, False),
    ]  # fmt: skip
    shared = read_model_config({**config, "recurrent_kv_cache_mode": "last_loop"}, "x").runs
    assert not any(run.beside for run in shared)
