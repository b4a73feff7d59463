"""Each layer's cache from a model's config and a launch: against models vLLM itself built, and rule by rule."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from vllm_triage.domain import Deployment, StateTensor
from vllm_triage.engine import kv_layout
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.kv_layout import layout, stages_of, state_bytes
from vllm_triage.engine.kv_specs import CrossAttention, Latent, SlidingWindow, State
from vllm_triage.engine.memory import estimate
from vllm_triage.engine.sizing import Sizing, sizing_of

BUILT = Path(__file__).parents[1] / "data" / "kv_plans" / "models-0.32.0.jsonl"
GIB = 2**30


@cache
def built() -> list[dict[str, Any]]:
    return [json.loads(line) for line in BUILT.read_text().splitlines()]


def launch(
    words: str, version: str = "0.32.0", gpu: str | None = "H100", config: dict[str, Any] | None = None
) -> Deployment:
    return deploy(f"vllm serve {words}", vllm_version=version, gpu=gpu, model_config=config)


def sizing(words: str, version: str = "0.32.0", gpu: str | None = "H100") -> Sizing:
    deployment = launch(words, version, gpu)
    assert deployment.model is not None
    return sizing_of(deployment, deployment.model)


def test_models_vllm_built_have_the_same_blocks_and_concurrency(monkeypatch: pytest.MonkeyPatch) -> None:
    """151 models of 45 architectures, built by vLLM 0.32 on its CPU platform.

    Some were recorded where the CPU keeps recurrent state in float32, some where it does not.
    """
    widths = kv_layout.StateWidths.of
    wrong = []
    for model in built():
        own = model["state"] == "model"
        of = (lambda *_: kv_layout.StateWidths()) if own else widths
        monkeypatch.setattr(kv_layout.StateWidths, "of", of)
        deployment = launch(f"example/model --no-async-scheduling {model['args']}", gpu="cpu", config=model["config"])
        pool = estimate(deployment, available_kv_gib=model["mem"] / GIB).pool
        got = None if pool is None or pool.max_concurrency is None else (pool.blocks, round(pool.max_concurrency, 3))
        if got is None or got[0] != model["blocks"] or abs(got[1] - model["concurrency"]) > 0.002 * max(1, got[1]):
            wrong.append((model["name"], got, model["blocks"], model["concurrency"]))
    assert wrong == []


ARCHITECTURES = Path(__file__).parents[1] / "data" / "kv_plans" / "architectures.jsonl"


@cache
def architectures() -> list[dict[str, Any]]:
    return [json.loads(line) for line in ARCHITECTURES.read_text().splitlines()]


def test_every_architecture_vllm_builds_without_a_gpu_has_the_same_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """169 architectures of the registries of 0.32 and 0.33, each with its config class's defaults, mostly cut to eight layers."""
    widths, wrong = kv_layout.StateWidths.of, []
    for model in architectures():
        found = []
        for of in (widths, lambda *_: kv_layout.StateWidths()):  # where the CPU keeps state in float32, and where not
            monkeypatch.setattr(kv_layout.StateWidths, "of", of)
            words = f"example/model --no-async-scheduling {model['args']}"
            deployment = launch(words, model["version"], gpu="cpu", config=model["config"])
            pool = estimate(deployment, available_kv_gib=model["mem"] / GIB).pool
            found.append((pool.blocks, round(pool.max_concurrency or 0, 3)) if pool else None)
        wanted = (model["blocks"], model["concurrency"])
        if not any(near(got, wanted) for got in found):
            wrong.append((model["name"], found, wanted))
    assert wrong == []


def near(got: tuple[int | None, float] | None, wanted: tuple[int, float]) -> bool:
    """Equal blocks, and concurrency within its rounding; without a cache vLLM plans no blocks at all."""
    if not wanted[0]:
        return got is None or not got[1]
    return got is not None and got[0] == wanted[0] and abs(got[1] - wanted[1]) <= 0.002 * max(1, got[1])


UNCOUNTED = frozenset({
    "AudioFlamingo3ForConditionalGeneration", "Blip2ForConditionalGeneration", "ColPaliForRetrieval",
    "Cosmos3EdgeForConditionalGeneration", "Glm4vForConditionalGeneration", "GlmAsrForConditionalGeneration",
    "GraniteSpeechForConditionalGeneration", "GraniteSpeechPlusForConditionalGeneration", "ModernVBertModel",
    "OpenVLAForActionPrediction",
})  # fmt: skip
"""Towers and query formers whose sizes the config does not give, against eight layers of the language model."""

SMALL_HEADS = frozenset({
    "BertForMaskedLM", "BertSpladeSparseEmbeddingModel", "EmbeddingGemma2Model", "Lfm2BidirectionalModel",
    "Qwen3_5ForCausalLM", "WhisperForConditionalGeneration",
})  # fmt: skip
"""Heads and projections that matter in a model of a few million parameters only, and a tower that is not loaded."""


def test_every_architecture_vllm_builds_without_a_gpu_has_the_same_weights() -> None:
    """Within 3%, norms and biases aside."""
    off = []
    for model in architectures():
        shape = launch("example/model", gpu="cpu", config=model["config"]).model
        assert shape is not None, model["name"]
        counted = sum(part.params for part in shape.weights) * 2 - absorbed(model["config"]) * 2
        if model["name"] not in UNCOUNTED | SMALL_HEADS and abs(counted / model["weights"] - 1) > 0.03:
            off.append((model["name"], round(counted / model["weights"], 3)))
    assert off == []


def absorbed(config: dict[str, Any]) -> int:
    """The second copy of latent attention's up-projection, which vLLM makes after loading."""
    text = config.get("text_config", config)
    if not text.get("kv_lora_rank"):
        return 0
    up = text["kv_lora_rank"] * text["num_attention_heads"] * (text["qk_nope_head_dim"] + text["v_head_dim"])
    return int(up * text.get("num_hidden_layers", 2 * text.get("num_layers", 0)))  # LongCat attends twice a layer


def test_weights_are_those_vllm_allocates() -> None:
    """Within 3%, but for a vision tower whose sizes the config does not give."""
    beside = {"KimiVLForConditionalGeneration-deepseek_v3"}
    off = []
    for model in built():
        shape = launch("example/model", gpu="cpu", config=model["config"]).model
        assert shape is not None
        width = 2 if shape.dtype_bytes <= 2 else 4
        counted = sum(part.params for part in shape.weights) * width
        counted -= absorbed(model["config"]) * width
        if model["name"] not in beside and abs(counted / model["weights"] - 1) > 0.03:
            off.append((model["name"], counted / model["weights"]))
    assert off == []


@pytest.mark.parametrize(
    ("words", "per_token", "per_gpu"),
    [
        ("Qwen/Qwen3-8B", 147_456, 147_456),
        ("Qwen/Qwen3-30B-A3B", 98_304, 98_304),
        ("Qwen/Qwen3-8B --tensor-parallel-size 2", 147_456, 73_728),
        ("Qwen/Qwen3-8B --kv-cache-dtype fp8", 73_728, 73_728),
        ("Qwen/Qwen3-8B --dtype float32", 294_912, 294_912),
        ("meta-llama/Llama-3.1-8B-Instruct --tensor-parallel-size 16", 131_072, 16_384),
        ("deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8", 70_272, 70_272),
        ("deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8 --kv-cache-dtype fp8", 35_136, 35_136),
    ],
)
def test_bytes_per_token(words: str, per_token: int, per_gpu: int) -> None:
    """KV heads divide over tensor parallelism and are copied beyond it; the latent is whole on every rank."""
    sized = sizing(words)
    assert sized.bytes_per_token(1) == per_token
    assert sized.bytes_per_token(sized.layout.tensor_parallel) == per_gpu


@pytest.mark.parametrize(
    ("cache_dtype", "bytes_of_a_layer"),
    [
        ("auto", 2 * 8 * 128 * 2),
        ("bfloat16", 2 * 8 * 128 * 2),
        ("fp8_e5m2", 2 * 8 * 128),
        ("fp8_per_token_head", 8 * (256 + 8)),
        ("int8_per_token_head", 8 * (256 + 8)),
        ("int4_per_token_head", 8 * (128 + 8)),
        ("nvfp4", 8 * 2 * (64 + 8)),
    ],
)
def test_quantized_caches_hold_their_scales_beside_the_values(cache_dtype: str, bytes_of_a_layer: int) -> None:
    (first, *_) = sizing(f"Qwen/Qwen3-8B --kv-cache-dtype {cache_dtype}", "0.33.0").layout.layers
    assert first.bytes_per_token == bytes_of_a_layer


def test_a_checkpoints_own_kv_scheme_is_what_auto_means() -> None:
    deployment = launch("nvidia/Llama-3.1-70B-Instruct-FP8 --tensor-parallel-size 2", gpu="2x H100")
    assert deployment.model is not None
    assert layout(deployment, deployment.model).cache_dtype.startswith("fp8")


def test_sparse_latent_attention_has_the_indexer_beside_it() -> None:
    sized = sizing("deepseek-ai/DeepSeek-V3.2 --tensor-parallel-size 8 --kv-cache-dtype fp8", gpu="8x H200")
    assert {spec.bytes_per_token for spec in sized.layout.layers} == {656, 132}
    assert {spec.block_size for spec in sized.layout.layers} == {64}
    assert len(sized.layout.layers) == 122
    assert len(sized.plan(40.0).groups) == 1


def test_dcp_divides_the_tokens_of_one_request() -> None:
    whole, shared = (sizing(f"deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8{more}", gpu="8x H200").plan(40.0).max_concurrency
                     for more in ("", " --decode-context-parallel-size 8"))  # fmt: skip
    assert shared == pytest.approx(8 * whole, rel=0.01)


def test_a_drafter_of_the_models_own_adds_its_layers() -> None:
    spec = """--speculative-config '{"method": "mtp", "num_speculative_tokens": 1}'"""
    sized = sizing(f"deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8 {spec}", gpu="8x H200")
    assert len(sized.layout.layers) == 62


def test_gpt_oss_with_an_eagle_head_pads_twelve_and_thirteen_to_thirteen() -> None:
    spec = """--speculative-config '{"method": "eagle3", "model": "x/eagle", "num_speculative_tokens": 3}'"""
    planned = sizing(f"openai/gpt-oss-20b --max-model-len 131072 {spec}", "0.18.0").plan(40.0)
    assert [len(group.members) for group in planned.groups] == [12, 13]
    assert planned.blocks == 100824


@pytest.mark.parametrize(
    ("layers", "pp", "counts"),
    [(36, 2, [18, 18]), (61, 4, [15, 15, 16, 15]), (62, 4, [15, 16, 16, 15]), (7, 3, [2, 3, 2])],
)
def test_layers_left_over_go_to_the_middle_stages(layers: int, pp: int, counts: list[int]) -> None:
    assert [len(stage) for stage in stages_of(layers, range(layers), pp)] == counts


def test_state_divides_over_ranks_and_grows_with_drafts() -> None:
    conv = StateTensor(shape=(3, 1000), dtype_bytes=2, role="conv", tp_axis=1, spec_axis=0)
    temporal = StateTensor(shape=(8, 64, 128), dtype_bytes=4, tp_axis=0)
    assert state_bytes((conv, temporal), 1) == 3 * 1000 * 2 + 8 * 64 * 128 * 4
    assert state_bytes((conv, temporal), 4) == 3 * 250 * 2 + 2 * 64 * 128 * 4
    assert state_bytes((conv,), 1, 2) == 5 * 1000 * 2


def test_mamba_groups_are_extended_where_ranks_do_not_divide_them() -> None:
    conv = StateTensor(shape=(3, 4096 + 2 * 128), dtype_bytes=2, role="conv", tp_axis=1, groups=1, group_width=256)
    assert state_bytes((conv,), 4) == 3 * ((4096 + 256 + 3 * 256) // 4) * 2


def test_a_hybrids_block_is_large_enough_for_one_state() -> None:
    sized = sizing("Qwen/Qwen3-Next-80B-A3B-Instruct --tensor-parallel-size 4", gpu="4x H100")
    states = [spec for spec in sized.layout.layers if isinstance(spec, State)]
    assert sized.layout.mamba_mode == "align"
    assert sized.layout.block_size % 16 == 0
    assert {spec.page_bytes for spec in sized.layout.layers} == {states[0].page_bytes}
    assert states[0].page_bytes >= states[0].content_bytes


def test_whisper_reserves_the_encoder_output() -> None:
    sized = sizing("openai/whisper-large-v3", "0.32.0")
    cross = [spec for spec in sized.layout.layers if isinstance(spec, CrossAttention)]
    assert len(cross) == 32
    assert cross[0].blocks(sized.request) == 8192 // 16  # the planner's: the token budget bounds the encoder's output


@pytest.mark.parametrize(
    ("version", "gpu", "words", "block"),
    [
        ("0.16.0", "H100", "deepseek-ai/DeepSeek-V3", 64),  # FlashMLA was forced
        ("0.32.0", "H100", "deepseek-ai/DeepSeek-V3", 16),
        ("0.32.0", "B200", "deepseek-ai/DeepSeek-V3", 32),  # FlashInfer-MLA runs 32 and 64
        ("0.32.0", "A100", "deepseek-ai/DeepSeek-V2-Lite", 16),
        ("0.32.0", "cpu", "deepseek-ai/DeepSeek-V2-Lite --block-size 64", 16),  # its kernel runs nothing else
        ("0.32.0", "cpu", "Qwen/Qwen3-8B", 128),
        ("0.32.0", "H100", "Qwen/Qwen3-8B", 16),
        ("0.32.0", "H100", "Qwen/Qwen3-8B --block-size 48", 48),
        ("0.32.0", "H100", "deepseek-ai/DeepSeek-V4-Flash --block-size 128", 256),  # nothing else runs
        ("0.32.0", "cpu", "deepseek-ai/DeepSeek-V4-Flash", 256),
        ("0.32.0", "H100", "MiniMaxAI/MiniMax-M3", 128),
    ],
)
def test_the_block_is_what_the_devices_backend_runs(version: str, gpu: str, words: str, block: int) -> None:
    assert sizing(words, version, gpu).layout.block_size == block


@pytest.mark.parametrize(("version", "block"), [("0.24.0", 64), ("0.26.0", 16), ("0.32.0", 64)])
def test_windows_choose_their_own_block_from_0_25(version: str, block: int) -> None:
    layers = sizing("google/gemma-3-27b-it --block-size 64", version).layout.layers
    assert {spec.block_size for spec in layers if isinstance(spec, SlidingWindow)} == {block}


def test_a_latent_carries_its_cache_dtype_so_that_an_indexer_is_never_merged_into_it() -> None:
    layers = sizing("deepseek-ai/DeepSeek-V3.2 --tensor-parallel-size 8", "0.18.0", "8x H200").layout.layers
    assert len({spec.cache_dtype for spec in layers if isinstance(spec, Latent)}) == 2


V4 = "deepseek-ai/DeepSeek-V4-Flash --tensor-parallel-size 2 --kv-cache-dtype fp8"


def test_deepseek_v4_prints_the_tokens_of_a_public_log() -> None:
    """0.23 on two H200: 32.08 GiB, 90,841 tokens at a length of 4,096."""
    words = f"{V4} --max-model-len 4096"
    low, high = (estimate(launch(words, "0.23.0", "2x H200"), available_kv_gib=gib).pool for gib in (32.075, 32.085))
    assert low is not None
    assert high is not None
    assert (low.tokens or 0) <= 90_841 <= (high.tokens or 0)


def test_deepseek_v4_needs_what_a_public_log_says() -> None:
    """0.22: 6.66 GiB for 30,000 tokens; with 5.44 GiB, 13,528 tokens at most (the GiB rounded as printed)."""
    sized = sizing(f"{V4} --max-model-len 30000 --max-num-batched-tokens 16384", "0.22.0", "2x GH200")
    assert round(sized.needed_gib, 2) == 6.66
    assert sized.longest(5.435) <= 13_528 <= sized.longest(5.445)


@pytest.mark.parametrize(
    ("version", "width"),
    [("0.22.0", 22 * (37440 + 8640 + 1728)), ("0.23.0", 22 * 37440 + 42 * 8640 - 21 * 8640 + 20 * 1728), ("0.28.0", 1)],
)
def test_a_block_of_deepseek_v4_is_as_wide_as_the_release_packs_it(version: str, width: int) -> None:
    found = sizing(V4, version, "2x H200").plan(30.0)
    assert found.bytes_per_block == (width if width > 1 else max(group.bytes_per_block for group in found.groups))


def test_deepseek_v4_with_mtp_has_one_window_more() -> None:
    spec = """--speculative-config '{"method": "mtp", "num_speculative_tokens": 1}'"""
    assert (
        len(sizing(f"{V4} {spec}", "0.30.0", "2x H200").layout.layers)
        - len(sizing(V4, "0.30.0", "2x H200").layout.layers)
        == 1
    )


@pytest.mark.parametrize(
    ("changes", "words", "blocks", "concurrency"),
    [
        # the planner of vLLM 0.33 on these layers, at 20 GiB
        ({}, "--max-model-len 4096 --max-num-batched-tokens 2048 --no-async-scheduling", 163_840, 61.4323),
        (
            {"num_hidden_layers": 12, "local_layer_ids": list(range(10))},
            "--max-model-len 131072 --max-num-batched-tokens 8192 --tensor-parallel-size 8 --no-async-scheduling",
            655_360, 34.2744,
        ),
    ],
)  # fmt: skip
def test_short_convolutions_keep_windows_in_blocks_of_their_own(
    changes: dict[str, Any], words: str, blocks: int, concurrency: float
) -> None:
    config = {
        "architectures": ["InklingForCausalLM"], "model_type": "inkling_model", "hidden_size": 6144,
        "num_hidden_layers": 4, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
        "swa_num_attention_heads": 64, "swa_num_key_value_heads": 16, "swa_head_dim": 128, "sliding_window_size": 512,
        "local_layer_ids": [0, 1, 2], "sconv_kernel_size": 4, "vocab_size": 1000, "intermediate_size": 1024,
        "max_position_embeddings": 131072, "torch_dtype": "bfloat16", **changes,
    }  # fmt: skip
    deployment = launch(f"example/model --block-size 16 {words}", "0.33.0", config=config)
    pool = estimate(deployment, available_kv_gib=20.0).pool
    assert pool is not None
    assert pool.blocks == blocks
    assert pool.max_concurrency == pytest.approx(concurrency, abs=2e-4)


@pytest.mark.parametrize(
    ("words", "blocks", "tokens", "concurrency"),
    [  # the planner of vLLM 0.33 on these layers, at 60e9 bytes
        ("--max-model-len 4096", 1146, 782_336, 191.0),
        ("--max-model-len 131072 --tensor-parallel-size 8", 5160, 5_085_199, 38.797),
    ],
)
def test_pooled_indexer_keys_keep_a_ring_of_raw_rows_beside_them(
    words: str, blocks: int, tokens: int, concurrency: float
) -> None:
    config = {
        "architectures": ["Glm5NextForCausalLM"], "model_type": "glm5_next_text", "hidden_size": 4096,
        "num_hidden_layers": 45, "num_attention_heads": 64, "num_key_value_heads": 64, "kv_lora_rank": 512,
        "q_lora_rank": 1536, "qk_nope_head_dim": 256, "qk_rope_head_dim": 0, "v_head_dim": 256, "index_topk": 2048,
        "index_n_heads": 32, "index_head_dim": 128, "index_kpool": 16, "vocab_size": 1000, "intermediate_size": 12288,
        "max_position_embeddings": 1048576, "torch_dtype": "bfloat16",
    }  # fmt: skip
    flags = "--no-enable-prefix-caching --no-async-scheduling --max-num-batched-tokens 2048"
    pools = [
        estimate(launch(f"example/model {flags} {words}", version, "8x H200", config), available_kv_gib=60e9 / GIB)
        for version in ("0.33.0", "0.31.0")
    ]
    assert pools[0].pool is not None
    assert (pools[0].pool.blocks, pools[0].pool.tokens) == (blocks, tokens)
    assert pools[0].pool.max_concurrency == pytest.approx(concurrency, abs=1e-3)
    assert pools[1].pool is None
    assert pools[1].problems[0].code == "kv-layout"
