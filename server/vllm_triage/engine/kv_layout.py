"""The KV caches of one deployment: each layer's cache on one rank, from the model's shape and the resolved settings."""

from collections.abc import Mapping, Sequence
from math import ceil, prod
from typing import NamedTuple

from ..domain import Deployment, LayerRun, ModelShape, StateTensor
from ..facts.versions import number
from . import kv_compressed
from .drafts import draft_runs
from .kv_blocks import Blocks, block_sizes
from .kv_dtype import ELEMENT, is_cpu, resolved_cache_dtype, served_bytes
from .kv_groups import UngroupableError
from .kv_specs import (
    CacheSpec,
    ChunkedLocal,
    CrossAttention,
    EncoderOnly,
    FullAttention,
    Latent,
    Request,
    Ring,
    SlidingWindow,
    State,
)
from .kv_state import checkpoints, mamba_mode
from .setting_values import as_int

__all__ = [
    "Layout",
    "bytes_per_token",
    "hybrid_block",
    "layout",
    "refuse_scratch_tails",
    "request_of",
    "stages_of",
    "state_bytes",
]

FP8_DS_MLA_BYTES = 656
"""One token of a sparse-MLA latent in ``fp8_ds_mla``: 512 fp8 values, 4 float32 scales, 64 bfloat16 rope values."""


class Layout(NamedTuple):
    """The caches of every layer on one rank, in model order, with what sized them."""

    layers: tuple[CacheSpec, ...]
    places: tuple[int, ...]
    """The model layer each cache belongs to (two caches may share one)."""
    block_size: int
    cache_dtype: str
    mamba_mode: str
    tensor_parallel: int
    width: float
    """Bytes per element of the type the model is served in."""
    block_outer: bool = False
    """The KV layout has the block outermost, so that pages of different sizes pack side by side."""


def layout(deployment: Deployment, shape: ModelShape) -> Layout:
    """The caches of `shape` as this deployment's version lays them out on one tensor-parallel rank."""
    release = number(deployment.version)
    tp = max(as_int(deployment.setting("tensor_parallel_size"), 1), 1)
    cache_dtype = resolved_cache_dtype(deployment, shape)
    speculative = speculative_tokens(deployment)
    mode = mamba_mode(deployment, shape, release)
    given = as_int(deployment.args.get("block_size"), 0) or None
    tensors = StateWidths.of(deployment, release)
    width = served_bytes(deployment, shape)
    attention = max((token_bytes(run, cache_dtype, width, tp) for run in shape.runs if run.head_dim), default=0)
    runs = (*shape.runs, *draft_runs(deployment, shape))
    if release < (0, 10, 0):
        runs = tuple(run.but(kind="none", state=()) if run.state else run for run in runs)  # V0 keeps them apart
    state = max((state_bytes(tensors.apply(run), tp, speculative) for run in runs if run.state), default=0)
    blocks = block_sizes(
        given,
        shape,
        deployment.gpu,
        release,
        attention_bytes=attention,
        state_bytes=state,
        mamba_mode=mode,
        max_model_len=length_of(deployment, shape),
    )
    drawer = Drawer(
        width, blocks, cache_dtype, tp, speculative, tensors, checkpoints(deployment, shape, mode, release), release
    )
    layers, places = drawer.draw(runs)
    return Layout(layers, places, blocks.attention, cache_dtype, mode, tp, width, block_outer(deployment, shape))


def block_outer(deployment: Deployment, shape: ModelShape) -> bool:
    """Whether blocks are outermost in memory: asked for, or all that an indexer of compressed or pooled keys runs with."""
    asked = next((env.value for env in deployment.env if env.name == "VLLM_KV_CACHE_LAYOUT"), "")
    return asked.startswith("B") or any(run.kind == "mla_compressed" or run.index_pool for run in shape.runs)


class StateWidths(NamedTuple):
    """Bytes per element of recurrent state where the launch or the platform overrides the model's own."""

    conv: int | None = None
    temporal: int | None = None

    @classmethod
    def of(cls, deployment: Deployment, release: tuple[int, int, int]) -> "StateWidths":
        """From ``--mamba-cache-dtype`` and ``--mamba-ssm-cache-dtype``; the CPU keeps recurrent state in float32."""
        conv = ELEMENT.get(str(deployment.args.get("mamba_cache_dtype") or "auto"))
        temporal = ELEMENT.get(str(deployment.args.get("mamba_ssm_cache_dtype") or "auto"))
        if is_cpu(deployment) and release >= (0, 26, 0):
            temporal = 4
        return cls(conv, temporal if temporal is not None else conv)

    def apply(self, run: LayerRun) -> tuple[StateTensor, ...]:
        """The run's tensors in these widths."""
        if self.conv is None and self.temporal is None:
            return run.state
        widths = {"conv": self.conv, "temporal": self.temporal}
        return tuple(t.but(dtype_bytes=widths[t.role] or t.dtype_bytes) for t in run.state)


class Drawer(NamedTuple):
    """Draws each layer's cache; holds what is the same for all of them."""

    width: float
    """Bytes per element of the type the model is served in."""
    blocks: Blocks
    cache_dtype: str
    tp: int
    speculative: int = 0
    widths: StateWidths = StateWidths()
    checkpoints: int = 0
    release: tuple[int, int, int] = (9, 0, 0)

    def draw(self, runs: Sequence[LayerRun]) -> tuple[tuple[CacheSpec, ...], tuple[int, ...]]:
        """Each layer's cache and the model layer it sits in; layers without one are left out."""
        caches: list[CacheSpec] = []
        places: list[int] = []
        known: dict[tuple[object, ...], tuple[CacheSpec, ...]] = {}
        start = first = 0
        for run in runs:
            if not run.beside:
                first, start = start, start + run.count
            alike = cache_key(run)
            drawn = known.get(alike) or known.setdefault(alike, self.caches_of(run))
            for offset in range(run.count):
                caches.extend(drawn)
                places.extend([first + offset] * len(drawn))
        return tuple(caches), tuple(places)

    def caches_of(self, run: LayerRun) -> tuple[CacheSpec, ...]:
        """The caches one layer of a run keeps."""
        if run.kind == "none":
            return ()
        if run.kind in ("mamba", "linear"):
            size = state_bytes(self.widths.apply(run), self.tp, self.speculative)
            page = self.blocks.state_page
            return (
                State(
                    self.blocks.state,
                    0,
                    page if page and page > size else None,
                    state_bytes=size,
                    speculative=self.speculative,
                    checkpoints=self.checkpoints,
                ),
            )
        if run.kind in ("mla_window", "mla_compressed"):
            return kv_compressed.caches_of(run, self.blocks.attention, self.cache_dtype, self.width, self.release)
        # a block of its own means a cache of the model's own type, whatever the KV cache is kept in
        per_token = token_bytes(run, "auto" if run.block else self.cache_dtype, self.width, self.tp)
        block = self.blocks.attention
        if run.kind in ("mla", "mla_sparse"):
            latent = Latent(block, per_token, cache_dtype=self.cache_dtype)
            if not run.index_dim:
                return (latent,)
            pool = run.index_pool or 1
            keys = Latent(block, index_row(run, self.width), tokens_per_latent=pool)
            return (latent, keys) if pool == 1 else (latent, keys, self.ring(run.index_dim, pool))
        if run.kind == "sliding_window":
            return (SlidingWindow(run.block or self.blocks.window, per_token, window=run.window or 0),)
        if run.kind == "chunked_local":
            return (ChunkedLocal(block, per_token, chunk=run.window or 0),)
        if run.kind == "cross":
            return (CrossAttention(block, per_token),)
        if run.kind == "encoder_only":
            return (EncoderOnly(block, per_token),)
        full = FullAttention(block, per_token)
        return (full, Latent(block, index_row(run, self.width))) if run.index_dim else (full,)

    def ring(self, index_dim: int, pool: int) -> CacheSpec:
        """Keys and gates of the pool being filled, in 16 bits, with room for the drafts stored before they are accepted."""
        pools = ceil((pool + self.speculative) / pool)
        return Ring(pool << (pools - 1).bit_length(), 2 * index_dim * 2)


def cache_key(run: LayerRun) -> tuple[object, ...]:
    """What decides a layer's cache; runs with equal keys (a pattern that repeats) are drawn once."""
    sizes = (run.kind, run.kv_heads, run.head_dim, run.head_dim_v, run.window, run.index_dim, run.compress, run.block,
             run.index_pool)  # fmt: skip
    return (*sizes, *run.state) if run.state else sizes


def bytes_per_token(shape: ModelShape, cache_dtype: str, tp: int, width: float) -> int:
    """Bytes each further token takes on one of `tp` ranks, over the layers that keep every token."""
    total = 0.0
    known: dict[tuple[object, ...], float] = {}
    for run in shape.runs:
        if run.kind in ("full", "mla", "mla_sparse", "mla_compressed"):
            alike = cache_key(run)
            if alike not in known:
                known[alike] = growing_bytes(run, cache_dtype, tp, width)
            total += run.count * known[alike]
    return round(total)


def growing_bytes(run: LayerRun, cache_dtype: str, tp: int, width: float) -> float:
    """Bytes each further token takes in one such layer on one of `tp` ranks."""
    if run.kind == "mla_compressed":
        return kv_compressed.token_bytes(run, cache_dtype, width)
    return token_bytes(run, cache_dtype, width, tp) + index_bytes(run, width)


def index_bytes(run: LayerRun, width: float) -> float:
    """Bytes of one token in an indexer's cache; its share of the key it is pooled into."""
    return index_row(run, width) / (run.index_pool or 1)


def index_row(run: LayerRun, width: float) -> int:
    """Bytes of one key of an indexer: fp8 values and a float32 scale per 128 of them; plain values beside GQA."""
    size = run.index_dim or 0
    return round(size * width) if run.kind == "full" else size + size // 128 * 4


def token_bytes(run: LayerRun, cache_dtype: str, model_bytes: float, tp: int) -> int:
    """Bytes one token takes in one layer on one rank.

    KV heads are divided over tensor parallelism, at least one per rank; the MLA latent is not: every rank has all.
    """
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
    return round(heads * (k + v) * ELEMENT.get(cache_dtype, model_bytes))


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
    return round(dim * ELEMENT.get(cache_dtype, model_bytes))


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


def hybrid_block(
    shape: ModelShape, cache_dtype: str, tp: int, block: int, speculative: int, *, is_mla: bool
) -> tuple[int, int | None]:
    """The attention block of a hybrid as releases before 0.20 enlarge it in the configuration, and its page in bytes.

    The page must hold one state: the block grows in steps of 16 (64 for latent attention) until it does.
    """
    state = max((state_bytes(run.state, tp, speculative) for run in shape.runs if run.state), default=0)
    attention = max(
        (token_bytes(run, cache_dtype, min(shape.dtype_bytes, 2.0), tp) for run in shape.runs if run.head_dim),
        default=0,
    )
    if not state or not attention:
        return block, None
    step = 64 if is_mla else 16
    block = max(block, step * -(-state // (step * attention)))
    return block, block * attention


def stages_of(layers: int, places: Sequence[int], pp: int) -> tuple[tuple[int, ...], ...]:
    """Cache indices by pipeline stage, layers dealt out as vLLM's ``get_pp_indices`` does.

    Even shares; what is left over goes to the stages before the last, one each, beginning with the second to last. Of the
    stages without a layer, where there are more stages than layers, one stands for all.
    """
    share, rest = divmod(layers, pp)
    counts = [share] * min(pp, layers + 1)
    for i in range(2, rest + 2):
        counts[-i] += 1
    bounds, start = [], 0
    for count in counts:
        bounds.append((start, start + count))
        start += count
    return tuple(tuple(i for i, place in enumerate(places) if low <= place < high) for low, high in bounds)


def refuse_scratch_tails(runs: Sequence[LayerRun], release: tuple[int, int, int]) -> None:
    """GLM-5.3 before 0.32: its unfinished pools share the indexer's page in a way only those two releases had.

    Raises:
        UngroupableError: the caches are of that kind (``KpoolTailSpec``, 0.30 and 0.31).
    """
    if release < (0, 32, 0) and any(run.index_pool for run in runs):
        raise UngroupableError("pooled indexer keys are laid out otherwise before 0.32, in a way not known here")


def speculative_tokens(deployment: Deployment) -> int:
    """Draft tokens per step; 0 without speculation."""
    spec = deployment.setting("speculative_config")
    if isinstance(spec, Mapping):
        return as_int(spec.get("num_speculative_tokens"), 0)
    return 0


def request_of(deployment: Deployment, shape: ModelShape, mode: str) -> Request:
    """The longest request of this deployment."""
    release = number(deployment.version)
    length = length_of(deployment, shape)
    budget = as_int(deployment.setting("max_num_batched_tokens"), 0) or 8192
    shards = max(as_int(deployment.args.get("decode_context_parallel_size"), 1), 1)
    if release < (0, 26, 0):
        shards *= max(as_int(deployment.args.get("prefill_context_parallel_size"), 1), 1)
    # vLLM's planner takes the encoder's budget for its length, and that is the token budget
    encoder = budget if any(run.kind == "cross" for run in shape.runs) else 0
    return Request(
        length,
        budget * batches_in_flight(deployment, release),
        shards,
        encoder,
        mode,
        drafts_beside_all=release >= (0, 22, 0),
    )


def length_of(deployment: Deployment, shape: ModelShape) -> int:
    """``max_model_len`` in force: given, else derived; 2048 is what vLLM takes where a config names no length."""
    given = as_int(deployment.setting("max_model_len"), 0)
    return given if given > 0 else shape.derived_max_model_len or 2048


def batches_in_flight(deployment: Deployment, release: tuple[int, int, int]) -> int:
    """Batches windows must reserve for, from 0.26: one per pipeline stage, one more with async scheduling."""
    if release < (0, 26, 0):
        return 1
    pp = max(as_int(deployment.setting("pipeline_parallel_size"), 1), 1)
    if deployment.setting("async_scheduling") is not True:
        return pp
    # the second model runner, the default from 0.31, overlaps batches under pipeline parallelism too
    return pp + 1 if pp == 1 or release >= (0, 31, 0) else pp
