"""The KV caches of one deployment: each layer's cache on one rank, from the model's shape and the resolved settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, prod

from ..domain import Deployment, Json, LayerRun, ModelShape, StateTensor
from ..facts.versions import number
from .kv_specs import (
    CacheSpec,
    ChunkedLocal,
    CrossAttention,
    EncoderOnly,
    FullAttention,
    Latent,
    Request,
    SlidingWindow,
    State,
)

__all__ = ["Layout", "layer_caches", "layout", "stages_of", "state_bytes"]

FP8_DS_MLA_BYTES = 656
"""One token of a sparse-MLA latent in ``fp8_ds_mla``: 512 fp8 values, 4 float32 scales, 64 bfloat16 rope values."""

QUANTIZED_ELEMENT = {"fp8": 1.0, "fp8_e4m3": 1.0, "fp8_e5m2": 1.0, "fp8_inc": 1.0, "bfloat16": 2.0, "float16": 2.0, "half": 2.0, "float32": 4.0}
"""Bytes per element by ``--kv-cache-dtype``; per-tensor scales are parameters, not pages."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The caches of every layer on one rank, in model order, with what sized them."""

    layers: tuple[CacheSpec, ...]
    places: tuple[int, ...]
    """The model layer each cache belongs to (two caches may share one)."""
    block_size: int
    cache_dtype: str
    mamba_mode: str
    tensor_parallel: int
    notes: tuple[str, ...] = ()


def layout(deployment: Deployment, shape: ModelShape) -> Layout:
    """The caches of `shape` as this deployment's version lays them out on one tensor-parallel rank."""
    release = number(deployment.version)
    tp = as_int(deployment.setting("tensor_parallel_size"), 1)
    cache_dtype = resolved_cache_dtype(deployment, shape)
    speculative = speculative_tokens(deployment)
    mode = mamba_mode(deployment, shape, release)
    given = "block_size" in deployment.args and deployment.args["block_size"] is not None
    block = as_int(deployment.setting("block_size"), 16)
    if not given and shape.uses_mla and not shape.is_hybrid and not _is_cpu(deployment):
        block = 64  # every CUDA MLA backend prefers 64-token pages
    padded_state: int | None = None
    state_block = as_int(deployment.setting("max_model_len"), 0) or shape.derived_max_model_len or 0
    if shape.is_hybrid:
        block, padded_state = hybrid_block(shape, cache_dtype, tp, block, speculative, is_mla=shape.uses_mla)
        if mode != "none":
            state_block = block
    layers, places = layer_caches(shape, block, cache_dtype, tp, speculative=speculative, padded_state=padded_state, state_block=state_block)
    return Layout(layers, places, block, cache_dtype, mode, tp)


def layer_caches(
    shape: ModelShape,
    block_size: int,
    cache_dtype: str,
    tp: int,
    *,
    speculative: int = 0,
    padded_state: int | None = None,
    state_block: int = 0,
) -> tuple[tuple[CacheSpec, ...], tuple[int, ...]]:
    """Each layer's cache and the model layer it sits in; layers without one are left out."""
    caches: list[CacheSpec] = []
    places: list[int] = []
    start = first = 0
    for run in shape.runs:
        if not run.beside:
            first, start = start, start + run.count
        for offset, spec in _run_caches(run, shape, block_size, cache_dtype, tp, speculative, padded_state, state_block):
            caches.append(spec)
            places.append(first + offset)
    return tuple(caches), tuple(places)


def _run_caches(
    run: LayerRun, shape: ModelShape, block: int, cache_dtype: str, tp: int, speculative: int, padded_state: int | None, state_block: int
) -> list[tuple[int, CacheSpec]]:
    """The caches of one run, with their offset in it."""
    spec = _spec(run, shape, block, cache_dtype, tp, speculative, padded_state, state_block)
    if spec is None:
        return []
    caches = [(i, spec) for i in range(run.count)]
    if run.index_dim:
        index = Latent(block, run.index_dim + run.index_dim // 128 * 4)  # fp8 keys and one float32 scale per 128
        caches = [pair for i in range(run.count) for pair in ((i, spec), (i, index))]
    return caches


def _spec(
    run: LayerRun, shape: ModelShape, block: int, cache_dtype: str, tp: int, speculative: int, padded_state: int | None, state_block: int
) -> CacheSpec | None:
    """The cache of one layer of a run; None where it keeps nothing."""
    if run.kind == "none":
        return None
    if run.kind in ("mamba", "linear"):
        size = state_bytes(run.state, tp, speculative)
        return State(state_block or block, 0, padded_state if padded_state and padded_state > size else None, state_bytes=size,
                     speculative=speculative)  # fmt: skip
    per_token = token_bytes(run, cache_dtype, shape.dtype_bytes, tp)
    if run.kind in ("mla", "mla_sparse"):
        return Latent(block, per_token)
    if run.kind == "sliding_window":
        return SlidingWindow(block, per_token, window=run.window or 0)
    if run.kind == "chunked_local":
        return ChunkedLocal(block, per_token, chunk=run.window or 0)
    if run.kind == "cross":
        return CrossAttention(block, per_token)
    if run.kind == "encoder_only":
        return EncoderOnly(block, per_token)
    return FullAttention(block, per_token)


def token_bytes(run: LayerRun, cache_dtype: str, model_bytes: float, tp: int) -> int:
    """Bytes one token takes in one layer on one rank.

    KV heads are divided over tensor parallelism, at least one per rank; the MLA latent is not: every rank has all of it.
    """
    model_bytes = min(model_bytes, 2.0)
    if run.kind in ("mla", "mla_sparse"):
        return latent_token_bytes(run.head_dim, cache_dtype, model_bytes)
    heads = max(1, run.kv_heads // tp)
    k, v = run.head_dim, run.head_dim if run.head_dim_v is None else run.head_dim_v
    if cache_dtype in ("fp8_per_token_head", "int8_per_token_head"):
        return heads * (k + v + 8)  # one float32 scale each for K and V
    if cache_dtype == "int4_per_token_head":
        return heads * (k // 2 + v // 2 + 8)
    if cache_dtype.startswith("nvfp4"):
        return heads * (k // 2 + k // 16 + v // 2 + v // 16)  # two values a byte, one fp8 scale per 16
    return round(heads * (k + v) * QUANTIZED_ELEMENT.get(cache_dtype, model_bytes))


def latent_token_bytes(dim: int, cache_dtype: str, model_bytes: float) -> int:
    """Bytes of one latent."""
    if cache_dtype == "fp8_ds_mla":
        return FP8_DS_MLA_BYTES
    if cache_dtype == "nvfp4_ds_mla":
        return 352
    if cache_dtype in ("fp8_per_token_head", "int8_per_token_head"):
        return dim + 8
    if cache_dtype == "int4_per_token_head":
        return dim // 2 + 8
    return round(dim * QUANTIZED_ELEMENT.get(cache_dtype, model_bytes))


def state_bytes(tensors: Sequence[StateTensor], tp: int, speculative: int = 0) -> int:
    """Bytes of one sequence's recurrent state in one layer on one rank."""
    total = 0
    for tensor in tensors:
        shape = list(tensor.shape)
        if tensor.tp_axis is not None and tp > 1:
            if tensor.groups and tensor.groups % tp:
                shape[tensor.tp_axis] += (tp - tensor.groups) * tensor.group_width
            shape[tensor.tp_axis] //= tp
        if tensor.spec_axis is not None:
            shape[tensor.spec_axis] += speculative
        total += prod(shape) * tensor.dtype_bytes
    return total


def hybrid_block(shape: ModelShape, cache_dtype: str, tp: int, block: int, speculative: int, *, is_mla: bool) -> tuple[int, int | None]:
    """Block size of the attention layers beside recurrent state, and the page states are padded to.

    The attention page must hold one state, so its block grows to the next kernel block that does; states are then
    padded to that page.
    """
    state = max(state_bytes(run.state, tp, speculative) for run in shape.runs if run.state)
    attention = max(token_bytes(run, cache_dtype, shape.dtype_bytes, tp) for run in shape.runs if run.head_dim)
    kernel = 64 if is_mla else 16
    needed = kernel * ceil(state / (kernel * attention))
    block = max(block, needed)
    return block, block * attention


def stages_of(layers: int, places: Sequence[int], pp: int) -> tuple[tuple[int, ...], ...]:
    """Cache indices by pipeline stage, layers dealt out as vLLM's ``get_pp_indices`` does.

    Even shares; what is left over goes to the stages before the last, one each, beginning with the second to last.
    """
    share, rest = divmod(layers, pp)
    counts = [share] * pp
    for i in range(2, rest + 2):
        counts[-i] += 1
    bounds, start = [], 0
    for count in counts:
        bounds.append((start, start + count))
        start += count
    return tuple(tuple(i for i, place in enumerate(places) if low <= place < high) for low, high in bounds)


def resolved_cache_dtype(deployment: Deployment, shape: ModelShape) -> str:
    """``--kv-cache-dtype`` with ``auto`` resolved: the checkpoint's own KV scheme, else the model's type."""
    asked = str(deployment.setting("kv_cache_dtype") or "auto")
    sparse = any(run.kind == "mla_sparse" for run in shape.runs)
    if sparse and asked in ("auto", "fp8", "fp8_e4m3", "fp8_ds_mla"):
        return "fp8_ds_mla" if asked != "auto" or number(deployment.version) >= (0, 11, 0) else "auto"
    if asked == "auto" and shape.quantization is not None and shape.quantization.kv_cache:
        return "fp8" if shape.quantization.kv_cache.startswith("fp8") else "auto"
    return asked


def mamba_mode(deployment: Deployment, shape: ModelShape, release: tuple[int, int, int]) -> str:
    """How recurrent state takes part in prefix caching."""
    if not any(run.kind in ("mamba", "linear") for run in shape.runs) or release < (0, 15, 0):
        return "none"
    asked = deployment.args.get("mamba_cache_mode")
    if isinstance(asked, str) and asked != "none":
        return asked
    return "align" if deployment.setting("enable_prefix_caching") is True else "none"


def speculative_tokens(deployment: Deployment) -> int:
    """Draft tokens per step; 0 without speculation."""
    spec = deployment.setting("speculative_config")
    if isinstance(spec, Mapping):
        return as_int(spec.get("num_speculative_tokens"), 0)
    return 0


def request_of(deployment: Deployment, shape: ModelShape, mode: str) -> Request:
    """The longest request of this deployment."""
    release = number(deployment.version)
    length = as_int(deployment.setting("max_model_len"), 0) or shape.derived_max_model_len or 2048
    budget = as_int(deployment.setting("max_num_batched_tokens"), 0) or 8192
    shards = as_int(deployment.args.get("decode_context_parallel_size"), 1)
    if release < (0, 26, 0):
        shards *= as_int(deployment.args.get("prefill_context_parallel_size"), 1)
    return Request(length, budget * batches_in_flight(deployment, release), shards, mamba_mode=mode)


def batches_in_flight(deployment: Deployment, release: tuple[int, int, int]) -> int:
    """Batches whose tokens windows must reserve for: two with async scheduling, one per pipeline stage, from 0.26."""
    if release < (0, 26, 0):
        return 1
    pp = as_int(deployment.setting("pipeline_parallel_size"), 1)
    if pp > 1:
        return pp
    return 2 if deployment.setting("async_scheduling") is True else 1


def as_int(value: Json, default: int) -> int:
    """`value` as a whole number, else `default`."""
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def _is_cpu(deployment: Deployment) -> bool:
    return deployment.gpu is not None and deployment.gpu.vendor == "cpu"
