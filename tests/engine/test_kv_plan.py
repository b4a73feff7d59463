"""The planner against vLLM's own: generated layer mixes, budgets, lengths and block sizes, by release."""

import json
import shlex
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from vllm_triage.engine.kv_groups import UngroupableError, group_layers
from vllm_triage.engine.kv_plan import Plan, largest_length, plan, plan_stages
from vllm_triage.engine.kv_specs import (
    CacheSpec,
    ChunkedLocal,
    CrossAttention,
    EncoderOnly,
    FullAttention,
    Latent,
    Request,
    Ring,
    SlidingLatent,
    SlidingWindow,
    State,
)
from vllm_triage.facts.versions import number

DATA = Path(__file__).parents[1] / "data" / "kv_plans"
WIDTH = {"bfloat16": 2, "float8_e4m3fn": 1, "uint8": 1, "float32": 4}
GIB = 2**30


@cache
def recorded(name: str) -> Any:
    return json.loads((DATA / name).read_text())


def cache_of(layer: dict[str, Any], block: int) -> CacheSpec:
    block, width = layer.get("block_size", block), WIDTH[layer.get("dtype", "bfloat16")]
    if layer["kind"] == "mamba":
        state = sum(prod(shape) * WIDTH[dtype] for shape, dtype in zip(layer["shapes"], layer["dtypes"], strict=True))
        return State(block, 0, layer.get("page_size_padded"), state_bytes=state)
    if layer["kind"] == "ring":
        return Ring(block, layer["kv_heads"] * layer["head"] * width)
    if layer["kind"] == "mla" and set(layer.get("extra", ())) == {"compress_ratio"}:
        return Latent(block, layer["head"] * width, tokens_per_latent=layer["extra"]["compress_ratio"])
    if "extra" in layer:
        return compressed_cache(layer, block, width)
    if layer["kind"] == "mla":
        return Latent(block, layer["head"] * width)
    token = 2 * layer["kv_heads"] * layer["head"] * width
    if layer["kind"] == "swa":
        return SlidingWindow(block, token, window=layer["window"])
    if layer["kind"] == "chunked":
        return ChunkedLocal(block, token, chunk=layer["window"])
    return FullAttention(block, token)


def compressed_cache(layer: dict[str, Any], block: int, width: int) -> CacheSpec:
    extra = layer["extra"]
    row = 584 if extra.get("cache_dtype_str") == "fp8_ds_mla" else layer["head"] * width
    kept: Latent | SlidingLatent = SlidingLatent(block, row, window=layer.get("window", 0))
    if layer["kind"] == "mla":
        kept = Latent(
            block, row, cache_dtype=extra.get("cache_dtype_str"), tokens_per_latent=extra.get("compress_ratio", 1)
        )
    page = -(-kept.content_bytes // extra["alignment"]) * extra["alignment"]
    return kept if page == kept.content_bytes else kept.padded_to(page)


def request_of(case: dict[str, Any], version: str) -> Request:
    release = number(version)
    overlapped = release >= (0, 26, 0) and "--no-async-scheduling" not in case["serve_args"]
    return Request(case["max_model_len"], case["max_num_batched_tokens"] * (2 if overlapped else 1))


def override_of(case: dict[str, Any]) -> int | None:
    words = shlex.split(case["serve_args"])
    return int(words[words.index("--num-gpu-blocks-override") + 1]) if "--num-gpu-blocks-override" in words else None


def planned(case: dict[str, Any], version: str) -> tuple[Plan, list[CacheSpec]]:
    layers = [
        cache_of(layer, case["block_size"])
        for part in case["layers"]
        for _ in range(part["n"])
        for layer in part.get("of", [part])
    ]
    found = plan(
        layers,
        case["mem"],
        request_of(case, version),
        version,
        hybrid_manager="--disable-hybrid-kv-cache-manager" not in case["serve_args"],
        block_outer="layout" in case,
        blocks_override=override_of(case),
    )
    return found, layers


def disagreement(case: dict[str, Any], want: Any, version: str) -> str:
    """Empty where the plan is vLLM's, else what differs."""
    try:
        mine, layers = planned(case, version)
    except UngroupableError as error:
        return "" if not isinstance(want, list) else f"{case['name']}: refused ({error}), vLLM plans {want}"
    if isinstance(want, list):
        got = [
            mine.blocks,
            mine.tokens if want[1] is not None else None,
            round(mine.max_concurrency, 4),
            len(mine.groups),
        ]
        return "" if got == want and mine.fits else f"{case['name']}: {got} (fits: {mine.fits}), vLLM plans {want}"
    if mine.fits:
        return f"{case['name']}: planned, vLLM refuses: {want}"
    if not isinstance(want, dict):
        return f"{case['name']}: too small, vLLM refuses otherwise: {want}"
    longest = largest_length(
        mine.groups, layers, case["mem"], request_of(case, version), version, blocks_override=override_of(case)
    )
    got_need = [round(mine.needed_bytes / GIB, 2), longest]
    return "" if got_need == [want["needed_gib"], want["longest"]] else f"{case['name']}: {got_need}, vLLM says {want}"


@pytest.mark.parametrize("version", list(recorded("answers.json")))
def test_blocks_tokens_concurrency_and_refusals_are_those_of_the_release(version: str) -> None:
    pairs = zip(recorded("cases.json"), recorded("answers.json")[version], strict=True)
    assert [text for case, want in pairs if (text := disagreement(case, want, version))] == []


@pytest.mark.parametrize("version", list(recorded("compressed_answers.json")))
def test_compressed_latents_are_packed_as_the_release_does(version: str) -> None:
    pairs = zip(recorded("compressed.json"), recorded("compressed_answers.json")[version], strict=True)
    assert [text for case, want in pairs if (text := disagreement(case, want, version))] == []


@pytest.mark.parametrize("version", list(recorded("ring_answers.json")))
def test_rings_of_raw_rows_are_planned_as_the_release_does(version: str) -> None:
    pairs = zip(recorded("rings.json"), recorded("ring_answers.json")[version], strict=True)
    assert [text for case, want in pairs if (text := disagreement(case, want, version))] == []


def test_a_ring_takes_one_block_of_a_request_however_long_it_is() -> None:
    ring = Ring(32, 512)
    assert ring.page_bytes == 32 * 512
    assert {ring.blocks(Request(length, 8192)) for length in (1, 4096, 1_000_000)} == {1}


def test_the_null_block_is_kept_out_of_the_start_check_from_0_29() -> None:
    layers, request = [FullAttention(16, 4096)] * 4, Request(1600, 2048)
    exact = 100 * 16 * 4096 * 4
    assert plan(layers, exact, request, "0.28.0").fits
    assert not plan(layers, exact, request, "0.29.0").fits
    assert plan(layers, exact + 16 * 4096 * 4, request, "0.29.0").fits


def test_tokens_of_a_hybrid_change_their_meaning_at_0_20_1() -> None:
    layers = [SlidingWindow(16, 8192, window=1024)] * 52 + [FullAttention(16, 8192)] * 10
    request = Request(131072, 8192)
    before, after = (plan(layers, 40 * GIB, request, version) for version in ("0.20.0", "0.20.1"))
    assert (before.blocks, before.tokens) == (32768, 74896)
    assert (after.blocks, after.tokens) == (32768, 368540)
    assert before.max_concurrency == after.max_concurrency


def test_layers_are_padded_to_the_larger_kind_by_the_tolerance_of_the_release() -> None:
    layers = [SlidingWindow(16, 4096, window=128)] * 12 + [FullAttention(16, 4096)] * 17
    sizes = {
        version: [len(g.members) for g in group_layers(layers, version)] for version in ("0.11.2", "0.16.0", "0.18.0")
    }
    assert sizes == {"0.11.2": [12, 9, 8], "0.16.0": [12, 9, 8], "0.18.0": [12, 17]}


def test_state_pages_are_padded_only_where_the_release_can() -> None:
    layers: list[CacheSpec] = [State(1024, 0, state_bytes=50_000)] * 3 + [FullAttention(16, 4096)] * 3
    assert {group.spec.page_bytes for group in group_layers(layers, "0.26.0")} == {65536}
    with pytest.raises(UngroupableError, match=r"50,000 bytes does not divide"):
        group_layers(layers, "0.25.1")


def test_windows_beside_a_latent_are_allocated_in_full_where_pages_cannot_be_unified() -> None:
    layers: list[CacheSpec] = [Latent(64, 1152)] * 5 + [SlidingWindow(64, 2000, window=512)]
    (group,) = group_layers(layers, "0.28.0")
    assert [type(spec).__name__ for spec in group.specs] == ["Latent"] * 5 + ["FullAttention"]
    with pytest.raises(UngroupableError):
        group_layers(layers, "0.18.0")


def test_stages_take_the_smallest_count_of_blocks() -> None:
    layers = [FullAttention(16, 4096)] * 5
    groups = group_layers(layers, "0.32.0")
    staged = plan_stages(layers, [(0, 1, 2), (3, 4)], [GIB, GIB], Request(4096, 2048), "0.32.0", groups=groups)
    assert staged.blocks == GIB // (3 * 16 * 4096)
    assert staged.bytes_per_block == 3 * 16 * 4096


def test_a_window_holds_one_block_more_because_it_need_not_start_at_an_edge() -> None:
    window = SlidingWindow(16, 1, window=128)
    assert window.blocks(Request(131072, 2048)) == -(-(127 + 2048) // 16) + 1
    assert window.blocks(Request(1000, 2048)) == -(-1000 // 16) + 1


def test_recurrent_state_holds_one_two_or_a_block_each_by_cache_mode() -> None:
    state = State(1024, 0, state_bytes=10, speculative=3, checkpoints=1)
    request = Request(8192, 2048)
    modes = {mode: state.blocks(Request(8192, 2048, mamba_mode=mode)) for mode in ("none", "align", "all")}
    assert modes == {"none": 4, "align": 6, "all": 8}
    assert state.blocks(request) == 4


def test_context_parallel_ranks_share_full_attention() -> None:
    full = FullAttention(16, 1)
    assert full.blocks(Request(8192, 2048, context_shards=4)) == 128
    layers = [full] * 2
    alone, shared = (plan(layers, 2**20, Request(8192, 2048, context_shards=n), "0.18.0") for n in (1, 4))
    assert shared.tokens == 4 * alone.tokens


def test_an_encoder_keeps_nothing_and_cross_attention_the_encoder_output() -> None:
    request = Request(448, 2048, encoder_tokens=1500)
    assert EncoderOnly(16, 1).blocks(request) == 0
    assert CrossAttention(16, 1).blocks(request) == 94


def test_a_model_without_caches_has_the_null_block_alone() -> None:
    assert plan([], GIB, Request(1, 1), "0.32.0").blocks == 1


specs = st.one_of(
    st.tuples(st.sampled_from([16, 32, 64]), st.sampled_from([256, 1024, 4096])).map(lambda it: FullAttention(*it)),
    st.tuples(st.sampled_from([16, 32]), st.sampled_from([256, 1024]), st.integers(1, 4096)).map(
        lambda it: SlidingWindow(*it[:2], window=it[2])
    ),
    st.integers(1, 8192).map(lambda chunk: ChunkedLocal(16, 1024, chunk=chunk)),
)


@limits(max_examples=60, deadline=None)
@given(
    st.lists(specs, min_size=1, max_size=24),
    st.integers(1, 2**34),
    st.integers(1, 200_000),
    st.sampled_from(["0.18.0", "0.26.0", "0.33.0"]),
)
def test_more_memory_never_holds_less(layers: list[CacheSpec], memory: int, length: int, version: str) -> None:
    request = Request(length, 2048)
    try:
        less, more = (plan(layers, bytes_, request, version) for bytes_ in (memory, 2 * memory))
    except UngroupableError:
        return
    assert less.blocks <= more.blocks
    assert less.max_concurrency <= more.max_concurrency
    assert sorted(member for group in less.groups for member in group.members) == list(range(len(layers)))


@limits(max_examples=60, deadline=None)
@given(
    st.lists(specs, min_size=1, max_size=24), st.integers(2**20, 2**34), st.sampled_from(["0.18.0", "0.26.0", "0.33.0"])
)
def test_the_longest_length_fits_and_the_next_does_not(layers: list[CacheSpec], memory: int, version: str) -> None:
    try:
        full = plan(layers, memory, Request(100_000, 2048), version)
    except UngroupableError:
        return
    longest = largest_length(full.groups, layers, memory, Request(100_000, 2048), version)
    if longest:
        assert plan(layers, memory, Request(longest, 2048), version).fits
    if longest < 100_000:
        assert not plan(layers, memory, Request(longest + 1, 2048), version).fits
