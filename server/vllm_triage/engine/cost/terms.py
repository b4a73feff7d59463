"""The parts of a step, each at the peak rate of the hardware: what has to be moved and multiplied, in ms.

Nothing here is fitted. A replica is seen as one pipeline stage after the other; every part is the time one GPU of each
stage needs, the stages added up, for a step that is not cut into micro-batches.
"""

from dataclasses import dataclass

from ...domain import Accelerator, Deployment, LayerRun, MemoryBudget, ModelShape
from ..drafts import draft_of
from ..kv_dtype import ELEMENT, resolved_cache_dtype, served_bytes
from ..machine import Machine

__all__ = ["Terms", "Window", "terms_of"]

ACTIVATION_BYTES = 2
"""Bytes per element of what collectives move."""

SPARSE_TOKENS = 2048
"""Tokens sparse MLA attends to once its indexer has chosen (``index_topk`` of DeepSeek-V3.2's config.json)."""

INDEX_SCALE_BYTES = 4
"""Bytes of the scale beside each index key, which is stored in FP8 (128 + 4 = 132 bytes for DeepSeek-V3.2)."""

ROPE_WIDTH = 64
"""Part of an MLA latent that is key alone (``qk_rope_head_dim``): the value is the rest."""


AT_ONCE = frozenset({"dflash", "dspark", "peagle"})
"""Drafters that give all their tokens in one pass; the others take a pass for each."""


@dataclass(frozen=True, slots=True)
class Window:
    """Layers that see the last `tokens` tokens only."""

    tokens: float
    read: float
    """Ms per held token."""
    flops: float
    """Ms per pair of tokens."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Parts of a step at peak rates, ms."""

    tp: int
    pp: int
    layers: int
    """Of the model; as many in all stages together."""
    width: int
    """Tokens a decoding sequence brings into a step: one, and its drafts."""
    dense_read: float
    """Read every weight outside the routed experts."""
    expert_read: float
    """Read every routed expert."""
    expert_pick: float
    """Share of the experts one token picks; 0 without experts."""
    expert_tokens: float
    """Tokens that meet in one set of experts per token of this replica: more than one with data parallel experts."""
    dense_flops: float
    """Per token."""
    expert_flops: float
    """Per token."""
    kv_read: float
    """Per held token of the layers that keep all of them."""
    kv_flops: float
    """Attention of one decoding token, per held token."""
    state_read: float
    """Recurrent state, read and written back, per sequence."""
    windows: tuple[Window, ...]
    pair_flops: float
    """Attention of a prompt, per pair of tokens."""
    link_read: float
    """What two all-reduces a layer move, per token."""
    reduces: int
    """All-reduces of a step."""
    exchanges: int
    """Exchanges of tokens between data parallel replicas whose experts are shared."""
    exchange_read: float
    """What they move, per token."""
    draft_read: float
    """Read the drafter's weights, and the output layer it shares, for every pass of a step."""
    draft_layers: int
    """Layers of all its passes."""
    narrow: bool
    """Whether dense products run at a rate above the 16-bit one."""
    narrow_experts: bool
    """Whether products over experts do."""


def terms_of(box: Machine, deployment: Deployment, model: ModelShape, gpu: Accelerator, memory: MemoryBudget) -> Terms:
    """The parts of a step of one replica.

    Raises:
        ValueError: bandwidth, peak, weights or parameters are not known.
    """
    bandwidth, peak, weights, active = box.bandwidth, box.peak, box.weight_bytes, box.active
    if not bandwidth or not peak or not weights or not active:
        raise ValueError("bandwidth, peak rate, weight bytes and active parameters have to be known")
    rate = 1e12 * (gpu.bf16_tflops or gpu.fp16_tflops or peak / 1e12)
    dense_rate = peak if _reaches_attention(model, deployment) else rate
    expert_params = min(0.98 * active, _expert_params(model))
    read = 1e3 / bandwidth
    element = _element(deployment, model)
    draft_bytes, draft_layers = _drafting(deployment, model, box)
    return Terms(
        tp=box.tp,
        pp=box.pp,
        layers=max(1, box.layers),
        width=1 + box.drafts,
        dense_read=read * weights * max(0.0, 1 - box.unread_share - box.expert_share),
        expert_read=read * weights * box.expert_share,
        expert_pick=box.experts_active / box.experts if box.experts else 0.0,
        expert_tokens=float(box.experts_over),
        dense_flops=2e3 * (active - expert_params) / (box.tp * dense_rate),
        expert_flops=2e3 * expert_params / (box.tp * peak),
        kv_read=read * box.pp * (memory.kv_bytes_per_token_per_gpu or 0) * _grown_share(model),
        kv_flops=1e3 * sum(_decode_flops(model, run) for run in model.runs) / (box.tp * rate),
        state_read=read * 2.0 * memory.state_bytes_per_sequence / box.tp,
        windows=tuple(_windows(model, box.tp, read * element, 1e3 / (box.tp * rate))),
        pair_flops=1e3 * sum(_pair_flops(model, run) for run in model.runs) / (box.tp * rate),
        link_read=_link_ms(box, 2 * box.layers * 2 * (box.tp - 1) / box.tp),
        reduces=2 * box.layers if box.tp > 1 else 0,
        exchanges=2 * _routed_layers(model) if box.experts_over > 1 else 0,
        exchange_read=_link_ms(box, 2 * _routed_layers(model) * (box.experts_over - 1)),
        draft_read=read * draft_bytes / box.tp,
        draft_layers=draft_layers,
        narrow=dense_rate > rate,
        narrow_experts=peak > rate,
    )


def _link_ms(box: Machine, activations: float) -> float:
    """Time to move that many rows of activations over the scale-up link, ms; PCIe's rate where no link is known."""
    return 1e3 * activations * box.hidden * ACTIVATION_BYTES / (box.link or 32e9)


def _drafting(deployment: Deployment, model: ModelShape, box: Machine) -> tuple[float, int]:
    """Bytes over all ranks that drafting reads in a step, and the layers it runs; nothing where no model drafts."""
    draft = draft_of(deployment, model) if box.drafts else None
    if draft is None:
        return 0.0, 0
    passes = 1 if draft.method in AT_ONCE else box.drafts
    head = 0.0
    if draft.method != "draft_model" and model.vocab:
        head = min(2.0, model.dtype_bytes) * model.vocab * model.hidden
    return passes * (draft.weight_bytes + head), passes * sum(run.count for run in draft.runs)


def _reaches_attention(model: ModelShape, deployment: Deployment) -> bool:
    """Whether the weights outside the experts compute in the quantized format too."""
    if deployment.args.get("quantization") is not None or model.quantization is None:
        return True
    return any(role == "attention" for role, _ in model.quantization.by_role)


def _routed_layers(model: ModelShape) -> int:
    return 0 if model.moe is None else model.moe.layers or model.layers


def _expert_params(model: ModelShape) -> float:
    """Parameters of the routed experts that one token uses."""
    moe = model.moe
    if moe is None or not moe.experts:
        return 0.0
    known = sum(part.params for part in model.weights if part.role == "expert")
    if known:
        return known * moe.active / moe.experts
    return 3.0 * model.hidden * (moe.intermediate or 0) * moe.active * _routed_layers(model)


def _element(deployment: Deployment, model: ModelShape) -> float:
    """Bytes of one element of K or V."""
    return float(ELEMENT.get(resolved_cache_dtype(deployment, model), served_bytes(deployment, model)))


def _grown_share(model: ModelShape) -> float:
    """Share of the growing cache a step reads: all of it, but for sparse MLA the index keys only."""
    whole = sum(run.count * (run.head_dim * 2 + (run.index_dim or 0)) for run in model.runs if run.kind == "mla_sparse")
    if not whole:
        return 1.0
    index = sum(run.count * (run.index_dim + INDEX_SCALE_BYTES) for run in model.runs if run.index_dim)
    return min(1.0, index / whole)


def _decode_flops(model: ModelShape, run: LayerRun) -> float:
    """FLOPs of one decoding token per held token in these layers, where the context is not cut to a window."""
    if run.kind == "full":
        return 2.0 * run.count * model.q_heads * (run.head_dim + (run.head_dim_v or run.head_dim))
    if run.kind in ("mla", "mla_compressed"):  # the latent itself is key and value
        return 2.0 * run.count * model.q_heads * (2 * run.head_dim - ROPE_WIDTH) / (run.compress or 1)
    return 0.0


def _pair_flops(model: ModelShape, run: LayerRun) -> float:
    """FLOPs of a prompt per pair of tokens in these layers, where the context is not cut to a window."""
    if run.kind == "full":
        return 2.0 * run.count * model.q_heads * (run.head_dim + (run.head_dim_v or run.head_dim))
    if run.kind == "mla":
        return 4.0 * run.count * model.q_heads * max(128, model.head_dim)
    return 0.0


def _windows(model: ModelShape, tp: int, read: float, compute: float) -> list[Window]:
    """The layers of each window, together."""
    found: dict[int, tuple[float, float]] = {}
    for run in model.runs:
        if run.kind in ("sliding_window", "chunked_local") and run.window:
            wide = run.head_dim + (run.head_dim_v or run.head_dim)
            tokens, held = run.window, run.count * max(1.0, run.kv_heads / tp) * wide
            flops = 2.0 * run.count * model.q_heads * wide
        elif run.kind in ("mla_sparse", "mla_window"):
            tokens, held = run.window or SPARSE_TOKENS, float(run.count * run.head_dim)
            flops = 2.0 * run.count * model.q_heads * (2 * run.head_dim - ROPE_WIDTH)
        else:
            continue
        before = found.get(tokens, (0.0, 0.0))
        found[tokens] = (before[0] + read * held, before[1] + compute * flops)
    return [Window(tokens, held, flops) for tokens, (held, flops) in found.items()]
