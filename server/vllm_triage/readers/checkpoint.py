"""What a checkpoint's files say of its weights: safetensors headers, or the total in its index. Never a whole shard.

A safetensors file begins with the length of a JSON header (eight bytes, little endian) that names every tensor with its
type, its shape and where its bytes lie; the header is a few hundred kilobytes of a shard of gigabytes.
"""

import json
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from ..domain import StoredWeights, WeightRole

__all__ = [
    "HEADER_BYTES",
    "UnreadableCheckpoint",
    "header_length",
    "stored_in_headers",
    "stored_in_index",
    "tensors_of",
]

HEADER_BYTES = 32 * 2**20
"""Longest header read; those of public checkpoints stay under 1 MiB."""

Tensor = tuple[str, str, int]
"""A tensor's name, its type, and its bytes."""


class UnreadableCheckpoint(ValueError):
    """A checkpoint's header or index is not what the format says."""


def header_length(first: bytes) -> int:
    """Length of the header, from a file's first eight bytes.

    Raises:
        UnreadableCheckpoint: it is no safetensors file, or its header is longer than any real one.
    """
    length = int.from_bytes(first[:8], "little")
    if len(first) < 8 or length < 2:
        raise UnreadableCheckpoint("not a safetensors file: it has no header")
    if length > HEADER_BYTES:
        raise UnreadableCheckpoint(f"a safetensors header of {length:,} bytes is not read (at most {HEADER_BYTES:,})")
    return length


def tensors_of(header: bytes) -> list[Tensor]:
    """The tensors a header names.

    Raises:
        UnreadableCheckpoint: the header is not JSON of the format.
    """
    found = _parsed(header, "safetensors header")
    tensors = []
    for name, told in found.items():
        if name == "__metadata__":
            continue
        offsets = told.get("data_offsets") if isinstance(told, Mapping) else None
        if not isinstance(offsets, list) or len(offsets) != 2 or not all(type(n) is int for n in offsets):
            raise UnreadableCheckpoint("a tensor of the safetensors header has no data_offsets")
        size = offsets[1] - offsets[0]
        if offsets[0] < 0 or size < 0:
            raise UnreadableCheckpoint("a tensor of the safetensors header ends before it begins")
        tensors.append((str(name), str(told.get("dtype")), size))
    return tensors


def stored_in_headers(tensors: Iterable[Tensor], layers: int, source: str) -> StoredWeights | None:
    """Bytes by role of all `tensors`; None when there are none.

    Args:
        tensors: of all shards.
        layers: decoder layers; what is numbered beyond them is a multi-token-prediction module.
        source: which files said so.
    """
    by_role: dict[WeightRole, int] = {}
    single = total = 0
    listed = list(tensors)
    for _, dtype, size in listed:
        total += size
        single += size if dtype == "F32" else 0
    halved = single * 2 > total  # a float32 checkpoint is served in 16 bits; float32 scales beside others stay
    for name, dtype, size in listed:
        role = role_of(name, layers)
        by_role[role] = by_role.get(role, 0) + (size // 2 if halved and dtype == "F32" else size)
    held = sum(by_role.values())
    return StoredWeights(total_bytes=held, by_role=tuple(sorted(by_role.items())), source=source) if held else None


def stored_in_index(index: bytes, source: str, *, float32: bool) -> StoredWeights | None:
    """The total an index tells; None when it tells none.

    Raises:
        UnreadableCheckpoint: it is not JSON.
    """
    metadata = _parsed(index, "index").get("metadata")
    total = metadata.get("total_size") if isinstance(metadata, Mapping) else None
    if isinstance(total, float) and total.is_integer():
        total = int(total)
    if not isinstance(total, int) or isinstance(total, bool) or not 0 < total < 2**60:
        return None
    return StoredWeights(total_bytes=total // 2 if float32 else total, source=source)


def _parsed(data: bytes, what: str) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise UnreadableCheckpoint(f"the {what} is not JSON") from None
    if not isinstance(found, dict):
        raise UnreadableCheckpoint(f"the {what} is not a JSON object")
    return found


ROLES: tuple[tuple[WeightRole, tuple[str, ...]], ...] = (
    ("draft", ("mtp.", "mtp_", "nextn", "eagle")),
    ("tower", ("visual", "vision", "audio", "image_", "projector", "merger", "patch_embed", "encoder.")),
    ("shared_expert", ("shared_expert", "shared_mlp")),
    ("expert", (".experts.",)),
    ("router", ("router", ".gate.", "e_score_correction", "shared_expert_gate", "compressor")),
    ("norm", ("norm", "layernorm", ".ln_")),
    ("head", ("lm_head", "output.weight", "embed_out")),
    ("embedding", ("embed_tokens", "tok_embeddings", "word_embeddings", "wte", "wpe", "embed.", "embeddings")),
    ("state", ("linear_attn", "mamba", "mixer", "short_conv", ".conv.", "ssm")),
    ("latent", ("kv_a_proj", "q_a_proj", "indexer", "wq_a", "wkv")),
    ("kv", ("k_proj", "v_proj")),
    ("attention", ("attn", "attention", "q_proj", "o_proj", "query_key_value", "kv_b_proj", "q_b_proj")),
    ("mlp", ("mlp", "ffn", "feed_forward", "fc1", "fc2", "gate_proj", "up_proj", "down_proj", "w1", "w2", "w3")),
)  # fmt: skip
"""What a tensor's name holds, in the order it is asked."""


def role_of(name: str, layers: int) -> WeightRole:
    """The role of one tensor, by its name; what no word tells is counted with attention, which ranks divide."""
    low = name.lower()
    parts = low.split(".")
    for before, part in pairwise(parts):
        if before in ("layers", "h", "blocks") and part.isdecimal() and "visi" not in low:
            if layers and int(part[:9]) >= layers and parts[0] != "visual":
                return "draft"
            break
    return next((role for role, words in ROLES if any(word in low for word in words)), "attention")
