"""Bytes of weights on one GPU: each role divided over ranks and quantized as vLLM does it."""

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from ..domain import Deployment, ModelShape, WeightPart, WeightRole
from ..facts.versions import number
from .setting_values import as_int

__all__ = ["Weights", "counted", "weight_bytes", "weights_of"]

LINEAR_ROLES = ("attention", "kv", "latent", "mlp", "expert", "shared_expert", "state")
"""Roles a quantization of linear layers reaches; embeddings, heads, routers, norms and towers keep their type."""

EXPERTS_ONLY = frozenset({"experts_int8", "moe_wna16", "mxfp4"})
"""Methods that quantize routed experts and nothing else."""

RUNTIME_BITS = {
    "fp8": 8.0,
    "fp8_per_tensor": 8.0,
    "fp8_per_block": 8.0,
    "ptpc_fp8": 8.0,
    "bitsandbytes": 4.5,
    "experts_int8": 8.0,
    "int8": 8.0,
    "mxfp8": 8.25,
    "torchao": 8.0,
    "gguf": 4.5,
}
"""Bits per weight of methods that quantize an unquantized checkpoint while loading (``--quantization``)."""


class Weights(NamedTuple):
    """What one GPU holds, bytes, on the fullest pipeline stage."""

    total: float
    experts: float
    quantization: str | None


class Split(NamedTuple):
    """How the ranks divide the model."""

    tp: int = 1
    pp: int = 1
    ep: int = 1
    """Ranks the routed experts are spread over; TP x DP with expert parallelism, else TP."""


def weights_of(deployment: Deployment, shape: ModelShape) -> Weights | None:
    """Weights on one GPU; None where the config does not say the sizes and no parameter count is known."""
    tp = max(1, as_int(deployment.setting("tensor_parallel_size"), 1))
    dp = max(1, as_int(deployment.setting("data_parallel_size"), 1))
    spread = tp * dp if deployment.args.get("enable_expert_parallel") is True else tp
    given = deployment.args.get("quantization")
    split = Split(tp, max(1, as_int(deployment.setting("pipeline_parallel_size"), 1)), spread)
    return divided(
        shape,
        split,
        given if isinstance(given, str) else None,
        str(deployment.setting("dtype") or "auto"),
        number(deployment.version),
    )


def weight_bytes(shape: ModelShape, tp: int = 1, pp: int = 1, runtime: str | None = None) -> float | None:
    """Bytes of weights on one GPU; None where they are not known.

    Args:
        shape: the model.
        tp: tensor parallel size.
        pp: pipeline parallel size.
        runtime: ``--quantization`` given at launch.
    """
    found = divided(shape, Split(tp, pp, tp), runtime, "auto")
    return None if found is None else found.total


def counted(shape: ModelShape) -> float | None:
    """Parameters counted from the config; None where it does not give the sizes."""
    return float(sum(part.params for part in shape.weights)) or None


def divided(
    shape: ModelShape, split: Split, runtime: str | None, dtype: str, release: tuple[int, int, int] = (0, 20, 0)
) -> Weights | None:
    """The weights of the fullest rank."""
    native = 32.0 if dtype in ("float32", "float") else min(shape.dtype_bytes, 2.0) * 8
    method, widths = widths_of(shape, runtime)
    if not shape.weights:
        if shape.stored is not None and not widths:
            return Weights(shape.stored.total_bytes * native / 16 / split.tp / split.pp, 0.0, method)
        if shape.params_total is None:
            return None
        bits = min(widths.values(), default=native)
        return Weights(shape.params_total * bits / 8 / split.tp / split.pp, 0.0, method)
    total = experts = 0.0
    told = told_by_files(shape)
    for part in (*shape.weights, *(remainder(shape) if told is None else unlisted(shape, told))):
        size = (
            stored(part, shape, method, split, release)
            * widths.get(part.role, native)
            / 8
            * stage_share(part, shape, split.pp)
            * (1.0 if told is None else told.get(part.role, 1.0))
        )
        total += size
        experts += size if part.role == "expert" else 0.0
    return Weights(total + rotary_table(shape, native), experts, method)


def told_by_files(shape: ModelShape) -> dict[WeightRole, float] | None:
    """By role, what the checkpoint's files hold against what its config counts; None where they were not read.

    A role counts for what it takes on disk: a head that is not stored because it is tied, and the second copy of a
    latent's up-projection that vLLM makes, are not in the files. Where only a total is known all roles share it, but
    not with modules for multi-token prediction in it, whose share is not told.
    """
    if shape.stored is None:
        return None
    widths = widths_of(shape, None)[1]
    counted: dict[WeightRole, float] = {}
    for part in shape.weights:
        bits = widths.get(part.role, min(shape.dtype_bytes, 2.0) * 8)
        counted[part.role] = counted.get(part.role, 0.0) + part.params * bits / 8
    if not shape.stored.by_role:
        whole = sum(counted.values())
        unknown = shape.mtp_layers or shape.uses_mla or not whole
        return None if unknown else dict.fromkeys(counted, shape.stored.total_bytes / whole)
    held = dict(shape.stored.by_role)
    if shape.uses_mla:  # kept as counted: the absorbed copy is not stored, and which tensors divide is not told
        for role in ("attention", "kv", "latent"):
            counted.pop(role, None)
    return {role: held[role] / size for role, size in counted.items() if size and held.get(role)}


def unlisted(shape: ModelShape, told: Mapping[WeightRole, float]) -> list[WeightPart]:
    """Roles the files hold and the config does not count: a tower whose sizes it does not give."""
    if shape.stored is None:
        return []
    listed = {part.role for part in shape.weights} | set(told)
    width = min(shape.dtype_bytes, 2.0)
    return [
        WeightPart(role=role, params=round(size / width), layers=0 if role == "tower" else shape.layers)
        for role, size in shape.stored.by_role
        if role not in listed and role not in ("draft", "head")  # a draft is loaded only to speculate; a head is tied
    ]


def remainder(shape: ModelShape) -> list[WeightPart]:
    """What a published parameter count says beyond the counted roles: towers and projectors of a multimodal model."""
    counted = sum(part.params for part in shape.weights if part.role != "draft")
    rest = int((shape.params_total or 0) - counted)
    return [WeightPart(role="tower", params=rest)] if shape.is_multimodal and 0 < rest < counted * 0.3 else []


def widths_of(shape: ModelShape, runtime: str | None) -> tuple[str | None, dict[str, float]]:
    """The method in force, and bits per weight of every role it reaches."""
    if shape.quantization is not None:
        return shape.quantization.method, dict(shape.quantization.by_role)
    if runtime is None or runtime not in RUNTIME_BITS:
        return runtime, {}
    roles = ("expert",) if runtime in EXPERTS_ONLY else LINEAR_ROLES
    return runtime, dict.fromkeys(roles, RUNTIME_BITS[runtime])


def stored(
    part: WeightPart, shape: ModelShape, method: str | None, split: Split, release: tuple[int, int, int]
) -> float:
    """Parameters of one role on one rank, all its layers, padding included."""
    params = float(part.params)
    if part.role in ("latent", "router", "norm"):
        return params
    if part.role == "kv":
        return params / min(split.tp, max(shape.kv_heads, 1))  # copied where ranks outnumber heads
    if part.role == "expert":
        return params * expert_padding(shape, method, split, release) / split.ep
    if part.role in ("embedding", "head") and shape.vocab:
        padded = ceil(shape.vocab / 64) * 64  # vocabularies are padded to 64 rows
        return params * padded / shape.vocab / split.tp
    return params / split.tp


def expert_padding(shape: ModelShape, method: str | None, split: Split, release: tuple[int, int, int]) -> float:
    """MXFP4 kernels pad an expert's width to 256 and its inner size, per rank, to 64 (128 from 0.19)."""
    if method != "mxfp4" or shape.moe is None or not shape.moe.intermediate:
        return 1.0
    inner = shape.moe.intermediate / (split.tp if split.ep == split.tp else 1)
    step = 128 if release >= (0, 19, 0) else 64
    return ceil(shape.hidden / 256) * 256 / shape.hidden * (ceil(inner / step) * step / inner)


def stage_share(part: WeightPart, shape: ModelShape, pp: int) -> float:
    """Share of a role on the fullest pipeline stage: layers in even shares, embedding and head on one stage each."""
    if pp == 1:
        return 1.0
    if part.layers == 0:
        return 1.0 if part.role in ("embedding", "tower") else 0.0
    return ceil(shape.layers / pp) / shape.layers


def rotary_table(shape: ModelShape, native: float) -> float:
    """Bytes of the cosine and sine table: one row per position, shared by all layers of one rotary kind."""
    positions = shape.max_position_embeddings or 0
    rotary = 64 if shape.uses_mla else shape.head_dim
    return positions * rotary * min(native, 16.0) / 8
