"""Safetensors headers and indexes: what they say, and what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from vllm_triage.readers.checkpoint import (
    HEADER_BYTES,
    UnreadableCheckpoint,
    header_length,
    role_of,
    stored_in_headers,
    stored_in_index,
    tensors_of,
)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("model.embed_tokens.weight", "embedding"),
        ("lm_head.weight", "head"),
        ("model.layers.0.self_attn.q_proj.weight", "attention"),
        ("model.layers.0.self_attn.k_proj.weight", "kv"),
        ("model.layers.0.self_attn.k_norm.weight", "norm"),
        ("model.layers.3.self_attn.kv_a_proj_with_mqa.weight", "latent"),
        ("model.layers.3.mlp.experts.17.down_proj.weight", "expert"),
        ("model.layers.3.mlp.shared_experts.down_proj.weight", "shared_expert"),
        ("model.layers.3.mlp.gate.weight", "router"),
        ("model.layers.3.mlp.gate_proj.weight", "mlp"),
        ("model.layers.61.mlp.experts.0.up_proj.weight", "draft"),
        ("mtp.layers.0.mlp.up_proj.weight", "draft"),
        ("visual.blocks.99.attn.qkv.weight", "tower"),
        ("model.vision_tower.encoder.layers.80.mlp.fc1.weight", "tower"),
        ("model.layers.0.linear_attn.in_proj.weight", "state"),
        ("transformer.h.0.attn.c_attn.weight", "attention"),
        ("transformer.wte.weight", "embedding"),
    ],
)
def test_a_tensor_is_known_by_its_name(name: str, role: str) -> None:
    assert role_of(name, 61) == role


def test_bytes_are_summed_by_role() -> None:
    tensors = [("model.embed_tokens.weight", "BF16", 100), ("lm_head.weight", "BF16", 100), ("x.mlp.up_proj", "I32", 8)]
    found = stored_in_headers(tensors, 1, "a test")
    assert found is not None
    assert (found.total_bytes, dict(found.by_role)) == (208, {"embedding": 100, "head": 100, "mlp": 8})


def test_a_float32_checkpoint_counts_half_and_float32_scales_count_whole() -> None:
    whole = stored_in_headers([("lm_head.weight", "F32", 400)], 1, "a test")
    scales = stored_in_headers(
        [("a.mlp.up_proj.weight", "F8_E4M3", 400), ("a.mlp.up_proj.scale", "F32", 4)], 1, "a test"
    )
    assert whole is not None
    assert scales is not None
    assert (whole.total_bytes, scales.total_bytes) == (200, 404)


def test_nothing_stored_is_none() -> None:
    assert stored_in_headers([], 1, "a test") is None


def test_an_index_gives_its_total() -> None:
    found = stored_in_index(b'{"metadata": {"total_size": 16060522496}}', "a test", float32=False)
    half = stored_in_index(b'{"metadata": {"total_size": 1000.0}}', "a test", float32=True)
    assert found is not None
    assert half is not None
    assert (found.total_bytes, found.by_role, half.total_bytes) == (16_060_522_496, (), 500)


@pytest.mark.parametrize("index", [b"{}", b'{"metadata": {"total_size": true}}', b'{"metadata": {"total_size": -1}}'])
def test_an_index_without_a_total_gives_none(index: bytes) -> None:
    assert stored_in_index(index, "a test", float32=False) is None


@pytest.mark.parametrize(
    "first", [b"", b"1234567", (0).to_bytes(8, "little"), (HEADER_BYTES + 1).to_bytes(8, "little")]
)
def test_a_length_that_no_header_has_is_refused(first: bytes) -> None:
    with pytest.raises(UnreadableCheckpoint):
        header_length(first)


@pytest.mark.parametrize(
    "header",
    [
        b"[]", b"no", b"[" * 100_000, json.dumps({"a": 1}).encode(), json.dumps({"a": {"data_offsets": [0]}}).encode(),
        json.dumps({"a": {"data_offsets": [5, 1]}}).encode(), json.dumps({"a": {"data_offsets": [True, 1]}}).encode(),
    ],
)  # fmt: skip
def test_a_header_of_another_form_is_refused(header: bytes) -> None:
    with pytest.raises(UnreadableCheckpoint):
        tensors_of(header)


@limits(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        tensors = tensors_of(data)
    except UnreadableCheckpoint:
        return
    assert all(size >= 0 for _, _, size in tensors)
