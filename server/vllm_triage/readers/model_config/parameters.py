"""Parameters by role, counted from a config: what divides over ranks, and what a quantization reaches."""

from collections.abc import Mapping
from typing import Any

from ...domain import LayerRun, MixtureOfExperts, StateTensor, WeightPart
from .compressed import compressor_projections, window_projections
from .families import POOLING, UNGATED
from .latent import latent_size
from .towers import tower_parts
from .view import ConfigView, as_int

__all__ = ["active_parameters", "count_parameters"]


def count_parameters(
    view: ConfigView, runs: tuple[LayerRun, ...], moe: MixtureOfExperts | None, tied: bool
) -> tuple[WeightPart, ...]:
    """The model's weights by role; empty when the config does not give the sizes.

    Norms are counted; biases, positions, rotary tables and quantization scales are too small to matter.
    """
    vocab = view.integer("vocab_size")
    if not vocab:
        return ()
    hidden = view.hidden
    parts = [WeightPart(role="embedding", params=vocab * hidden + per_layer_embeddings(view))]
    headless = view.architecture.endswith(HEADLESS) or any(run.kind == "encoder_only" for run in runs)
    if not tied and not headless:
        parts.append(WeightPart(role="head", params=vocab * hidden))
    parts += attention_parts(view, runs)
    parts += state_parts(view, runs)
    parts += feed_forward_parts(view, runs, moe)
    parts.append(WeightPart(role="norm", params=(2 * view.layers + 1) * hidden, layers=view.layers))
    parts += tower_parts(view)
    return tuple(part for part in parts if part.params > 0)


HEADLESS = tuple(end for end in POOLING if end.startswith("For"))
"""Ends of architecture names whose head is a small one in place of the vocabulary's."""


def per_layer_embeddings(view: ConfigView) -> int:
    """Gemma 3n and 4: a small embedding of every token for every layer, where the config names one."""
    if view.model_type.startswith("embedding_gemma2"):
        return 0  # it projects the one embedding for every layer
    width = as_int(view.text.get("hidden_size_per_layer_input")) or 0
    rows = as_int(view.text.get("vocab_size_per_layer_input")) or view.integer("vocab_size") or 0
    return width * rows * view.layers


def attention_parts(view: ConfigView, runs: tuple[LayerRun, ...]) -> list[WeightPart]:
    """Projections around attention; keys and values apart, since they are copied where ranks outnumber heads."""
    if view.model_type == "zamba2":
        return shared_blocks(view)
    attention = 0.0
    keys = latent = router = layers = 0
    for run in runs:
        if run.kind in ("mla", "mla_sparse"):
            shared, split = latent_projections(view)
            latent += run.count * shared
            attention += run.count * split
            if run.index_dim:
                heads = view.integer("index_n_heads") or 0
                latent += run.count * (
                    view.hidden * (run.index_dim + heads)
                    + (view.integer("q_lora_rank") or view.hidden) * heads * run.index_dim
                )
            layers += run.count
        elif run.kind == "mla_window":
            shared, split = window_projections(view)
            latent += run.count * shared
            attention += run.count * split
            layers += run.count
        elif run.kind == "mla_compressed":
            plain, indexer = compressor_projections(view, run)
            router += run.count * plain  # neither divided nor quantized, like a router
            latent += run.count * indexer
        elif view.model_type == "minicpm3":
            shared, split = latent_projections(view, twice=False)
            latent += run.count * shared
            attention += run.count * split
            layers += run.count
        elif run.head_dim and (run.kind == "cross" or not run.beside):  # a layer run again has a cache, no weights
            value = run.head_dim if run.head_dim_v is None else run.head_dim_v
            gate = 2 if view.get("attn_output_gate") or view.model_type in GATED else 1
            attention += (
                run.count
                * view.heads
                * (query_width(view, run.head_dim) + view.hidden * ((gate - 1) * run.head_dim + value))
            )
            keys += run.count * view.hidden * run.kv_heads * (run.head_dim + value)
            layers += run.count
    return [
        WeightPart(role="attention", params=round(attention), layers=layers),
        WeightPart(role="kv", params=keys, layers=layers),
        WeightPart(role="latent", params=latent, layers=layers),
        WeightPart(role="router", params=router, layers=layers),
    ]


GATED = frozenset({"afmoe", "muse_glimmer_text", "hrm_text", "dory"})
"""Model types with a gate of the same width beside every query projection, which their configs do not tell."""


def query_heads(view: ConfigView) -> float:
    """Query heads of a layer; their mean where layers differ (Laguna)."""
    told = view.get("num_attention_heads_per_layer")
    listed = [heads for one in told if (heads := as_int(one))] if isinstance(told, list) else []
    return sum(listed) / len(listed) if listed else view.heads


def query_width(view: ConfigView, head_dim: int) -> float:
    """Parameters of one query head: hidden x head, or its share of a projection through ``share_q_dim`` (Step3)."""
    rank = view.integer("share_q_dim")
    return view.hidden * head_dim if not rank else rank * head_dim + view.hidden * rank / view.heads


def shared_blocks(view: ConfigView) -> list[WeightPart]:
    """Zamba 2: a few blocks of attention and feed-forward, shared by all hybrid layers, and a projection in each."""
    wide, inner, hidden = view.need("attention_hidden_size"), view.need("intermediate_size"), view.hidden
    blocks = view.integer("num_mem_blocks") or 1
    listed = view.get("hybrid_layer_ids", "layers_block_type", default=())
    hybrid = sum(1 for one in listed if isinstance(one, int) or str(one).startswith("hybrid"))
    each = 3 * wide * wide + wide * hidden + 3 * hidden * inner
    return [WeightPart(role="attention", params=blocks * each + hybrid * hidden * hidden, layers=view.layers)]


def latent_projections(view: ConfigView, *, twice: bool = True) -> tuple[int, int]:
    """Parameters of one latent attention layer: what every rank holds, and what divides over heads.

    vLLM keeps the up-projection `twice`: as loaded, and absorbed into queries and outputs for decoding.
    """
    heads, rank = view.heads, view.need("kv_lora_rank")
    nope, rope = view.integer("qk_nope_head_dim") or 0, view.integer("qk_rope_head_dim") or 0
    value = view.integer("v_head_dim") or nope
    queries = as_int(view.get("q_lora_rank"))
    shared = view.hidden * latent_size(view)
    outputs = 2 if view.get("gated_mla") else 1  # Hunyuan 4 gates what it attends to
    split = outputs * heads * value * view.hidden + (2 if twice else 1) * rank * heads * (nope + value)
    if queries:
        return shared + view.hidden * queries, split + queries * heads * (nope + rope)
    return shared, split + view.hidden * heads * (nope + rope)


def state_parts(view: ConfigView, runs: tuple[LayerRun, ...]) -> list[WeightPart]:
    """Projections around recurrent state, from the shapes of the state itself."""
    total = layers = 0
    for run in runs:
        if run.state:
            total += run.count * state_projection(view, run.mixer or "", run.state)
            layers += run.count
    return [WeightPart(role="state", params=total, layers=layers)]


def state_projection(view: ConfigView, mixer: str, state: tuple[StateTensor, ...]) -> int:
    """Parameters of one recurrent layer: in- and out-projection and the convolution."""
    hidden = view.hidden
    conv = next((tensor for tensor in state if tensor.role == "conv"), None)
    channels = conv.shape[1] if conv else 0
    kernel = channels * (conv.shape[0] + 1) if conv else 0
    temporal = next((tensor.shape for tensor in state if tensor.role == "temporal"), ())
    if mixer == "short_conv":
        return 4 * hidden * hidden + kernel
    heads = temporal[0] if temporal else 0
    inner = heads * temporal[1] if len(temporal) == 3 else heads
    if mixer == "mamba1":
        return 2 * hidden * inner + inner * (inner // 16 + 2 * temporal[1]) + inner * hidden + kernel
    if mixer in ("gated_delta", "kimi_delta"):
        return hidden * (channels + inner + 2 * heads) + inner * hidden + kernel
    if mixer == "lightning":
        return 5 * hidden * inner
    return hidden * (channels + inner + heads) + inner * hidden + kernel


def feed_forward_parts(view: ConfigView, runs: tuple[LayerRun, ...], moe: MixtureOfExperts | None) -> list[WeightPart]:
    """Dense feed-forward, routed and shared experts, routers."""
    blocks = view.get("block_configs")
    if isinstance(blocks, list) and view.model_type == "nemotron-nas":
        return [WeightPart(role="mlp", params=_block_feed_forward(view, blocks), layers=view.layers)]
    matrices = 2 if view.model_type in UNGATED else 3
    hidden, inner = (
        view.hidden,
        view.integer("block_ff_dim", "intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "decoder_ffn_dim")
        or 4 * view.hidden,
    )
    stacked = feed_forward_layers(view, runs)
    if view.get("block_auto_adjust_ff_dim"):  # LFM2: two thirds, in whole multiples
        step = view.integer("block_multiple_of") or 256
        inner = -(-int(2 * inner / 3 * (view.get("block_ffn_dim_multiplier") or 1)) // step) * step
    if moe is None:
        return [WeightPart(role="mlp", params=stacked * matrices * hidden * inner, layers=stacked)]
    routed = min(moe.layers if moe.layers is not None else stacked, stacked)
    width = view.integer("moe_latent_size") or hidden
    expert_inner = moe.intermediate or inner
    dense_inner = view.integer("intermediate_size_mlp", "dense_intermediate_size") or inner
    dense = 0 if view.model_type.startswith("nemotron_h") else stacked - routed
    # Gemma 4 runs a dense feed-forward beside the experts of every layer, LongCat one after each of its two attentions
    dense = {"gemma4": stacked, "longca": 2 * stacked}.get(view.model_type[:6], dense)
    parts = [
        WeightPart(role="expert", params=routed * moe.experts * matrices * width * expert_inner, layers=routed),
        WeightPart(role="router", params=routed * moe.experts * hidden, layers=routed),
        WeightPart(role="mlp", params=dense * matrices * hidden * dense_inner, layers=dense),
    ]
    shared_inner = shared_width(view, moe, expert_inner)
    if shared_inner:
        parts.append(WeightPart(role="shared_expert", params=routed * matrices * hidden * shared_inner, layers=routed))
    return parts


def feed_forward_layers(view: ConfigView, runs: tuple[LayerRun, ...]) -> int:
    """Layers with a feed-forward: all; in Nemotron-H and Dory those of the pattern that are one."""
    if view.model_type.startswith(("nemotron_h", "dory")):
        return sum(run.count for run in runs if run.kind == "none")
    if view.model_type in ("mamba", "mamba2", "falcon_mamba", "zamba2"):
        return 0
    return view.layers


def shared_width(view: ConfigView, moe: MixtureOfExperts, expert_inner: int) -> int:
    """Inner size of all shared experts of one layer together."""
    given = view.integer(
        "shared_expert_intermediate_size",
        "shared_intermediate_size",
        "moe_shared_expert_intermediate_size",
        "share_expert_dim",
    )
    if given:
        return given
    if view.model_type.startswith("llama4"):
        return view.need("intermediate_size")
    return moe.shared * expert_inner


def _block_feed_forward(view: ConfigView, blocks: list[Any]) -> int:
    """Nemotron-NAS: inner size by ``ffn_mult`` of each block, rounded up to 256."""
    total = 0
    for block in blocks:
        ffn = block.get("ffn", {}) if isinstance(block, Mapping) else {}
        factor = ffn.get("ffn_mult")
        if isinstance(factor, int | float) and not ffn.get("no_op"):
            inner = -(-int(2 * factor * view.hidden / 3) // 256) * 256
            total += 3 * view.hidden * inner
    return total


def active_parameters(parts: tuple[WeightPart, ...], moe: MixtureOfExperts | None) -> int | None:
    """Parameters one token goes through: of the experts only the chosen ones; no embedding look-up, no tower."""
    if not parts:
        return None
    total = 0
    for part in parts:
        if part.role in ("tower", "draft"):
            continue
        if part.role == "embedding" and any(other.role == "head" for other in parts):
            continue
        total += part.params * moe.active // moe.experts if part.role == "expert" and moe else part.params
    return total
