"""Models whose layers keep recurrent state: in place of attention, or beside it."""

from collections.abc import Sequence
from typing import Literal

from ...domain import LayerRun, StateTensor
from . import state
from .latent import latent_size
from .layers import full_attention
from .view import ConfigView, UnknownArchitecture, as_int

__all__ = ["hybrid_layers"]

NONE = LayerRun(kind="none", count=1)


def hybrid_layers(view: ConfigView, width: int) -> list[LayerRun]:
    """One run per cache of each layer, in model order."""
    kind = view.model_type
    if kind in ("falcon_h1",):
        return _parallel(view, _falcon_h1_state(view, width))
    if kind in ("mamba", "falcon_mamba"):
        return [_recurrent(view, "mamba1", _mamba1_state(view, width))] * view.layers
    if kind == "mamba2":
        return [_recurrent(view, "mamba2", _mamba2_state(view, width))] * view.layers
    if kind.startswith(("qwen3_next", "qwen3_5", "qwen4_exp")):
        return _mixed(view, "gated_delta", state.gated_delta(view, width), _interval_attention(view))
    if kind == "kimi_linear":
        return _kimi_linear(view, width)
    if kind.startswith("nemotron_h"):
        return _by_pattern(view, _nemotron_state(view, width))
    if kind in ("granitemoehybrid", "bamba"):
        return _mixed(view, "mamba2", _mamba2_state(view, width), _named_attention(view))
    if kind == "jamba":
        return _mixed(view, "mamba1", _mamba1_state(view, width), _periodic_attention(view))
    if kind.startswith("minimax"):
        return _mixed(view, "lightning", state.lightning(view.heads, view.head_dim, width), _listed_attention(view))
    if kind == "olmo_hybrid":
        return _mixed(view, "gated_delta", state.gated_delta(view, width), _named_attention(view))
    if kind == "alice_ai":
        tensors = state.kimi_delta(
            view.need("linear_num_key_heads"),
            view.need("linear_key_head_dim"),
            view.need("linear_conv_kernel_dim"),
            width,
        )
        return _mixed(view, "kimi_delta", tensors, _interval_attention(view))
    if kind.startswith("glm5_next"):
        return _pooled_index(view, width)
    if kind.startswith("bailing_hybrid"):
        return _bailing(view, width)
    if kind == "zamba2":
        return _zamba2(view, width)
    if kind.startswith("lfm2"):
        shape = state.short_conv(view.hidden, view.need("conv_L_cache"), width)
        return _mixed(view, "short_conv", shape, _named_attention(view))
    raise UnknownArchitecture(f"layer pattern of {view.architecture or kind} is not known")


Mixer = Literal["mamba1", "mamba2", "gated_delta", "kimi_delta", "lightning", "short_conv"]


def _recurrent(view: ConfigView, mixer: Mixer, tensors: tuple[StateTensor, ...], count: int = 1) -> LayerRun:
    """Layers of recurrent state."""
    linear = mixer in ("gated_delta", "kimi_delta", "lightning")
    chunk = view.integer("mamba_chunk_size", "chunk_size") if mixer == "mamba2" else None
    return LayerRun(kind="linear" if linear else "mamba", count=count, state=tensors, mixer=mixer, state_chunk=chunk)


def _mixed(
    view: ConfigView, mixer: Mixer, tensors: tuple[StateTensor, ...], attention: Sequence[bool]
) -> list[LayerRun]:
    """Attention where `attention` says so, state elsewhere."""
    full, recurrent = full_attention(view), _recurrent(view, mixer, tensors)
    return [full if is_attention else recurrent for is_attention in attention]


def _parallel(view: ConfigView, tensors: tuple[StateTensor, ...]) -> list[LayerRun]:
    """Every layer has both: all attention first, then the state beside it."""
    full = full_attention(view)
    return [full.but(count=view.layers), _recurrent(view, "mamba2", tensors, view.layers).but(beside=True)]


def _interval_attention(view: ConfigView) -> list[bool]:
    """Qwen3-Next, Qwen3.5: ``layer_types``, or every n-th layer."""
    types = view.text.get("layer_types")
    if isinstance(types, list) and types:
        return [str(kind) in ("full_attention", "indexed_attention") for kind in types[: view.layers]]
    step = view.integer("full_attention_interval") or 4
    return [(i + 1) % step == 0 for i in range(view.layers)]


def _named_attention(view: ConfigView) -> list[bool]:
    """``layers_block_type`` or ``layer_types`` name each layer; Bamba lists ``attn_layer_indices`` instead."""
    types = view.get("layers_block_type", "layer_types")
    if not isinstance(types, list) or not types:
        indices = view.get("attn_layer_indices", "full_attn_idxs")
        if isinstance(indices, list):
            return [i in indices for i in range(view.layers)]
        raise UnknownArchitecture(f"{view.architecture or view.model_type}: no 'layer_types' says which layers attend")
    return [str(kind) in ("attention", "full_attention") for kind in types[: view.layers]]


def _periodic_attention(view: ConfigView) -> list[bool]:
    """Jamba: every n-th layer from an offset."""
    period, offset = view.integer("attn_layer_period") or 8, view.integer("attn_layer_offset")
    return [i % period == (4 if offset is None else offset) for i in range(view.layers)]


def _listed_attention(view: ConfigView) -> list[bool]:
    """MiniMax-01: ``attn_type_list`` of 1 (attention) and 0 (lightning)."""
    types = view.get("attn_type_list", "decoder_attention_types")
    if not isinstance(types, list) and isinstance(view.get("layer_types"), list):
        return _interval_attention(view)
    if not isinstance(types, list):
        raise UnknownArchitecture(
            f"{view.architecture or view.model_type}: no 'attn_type_list' says which layers attend"
        )
    return [kind == 1 for kind in types[: view.layers]]


def _by_pattern(view: ConfigView, tensors: tuple[StateTensor, ...]) -> list[LayerRun]:
    """Nemotron-H: one letter per layer; M state, * attention, - or E no cache."""
    pattern = view.get("hybrid_override_pattern")
    blocks = view.get("layers_block_type")
    if isinstance(pattern, str):
        letters = list(pattern)
    elif isinstance(blocks, list):
        letters = [{"mamba": "M", "attention": "*"}.get(str(block), "-") for block in blocks]
    else:
        raise UnknownArchitecture(
            f"{view.architecture or view.model_type}: no 'hybrid_override_pattern' says what each layer is"
        )
    full, recurrent = full_attention(view), _recurrent(view, "mamba2", tensors)
    return [{"M": recurrent, "*": full}.get(letter, NONE) for letter in letters]


def _kimi_linear(view: ConfigView, width: int) -> list[LayerRun]:
    """Kimi-Linear: latent attention in the listed layers (counted from 1), delta attention elsewhere."""
    linear = view.get("linear_attn_config")
    if not isinstance(linear, dict) or not isinstance(linear.get("full_attn_layers"), list):
        raise UnknownArchitecture(f"{view.architecture}: no 'linear_attn_config' says which layers attend")
    tensors = state.kimi_delta(
        int(linear["num_heads"]), int(linear["head_dim"]), int(linear.get("short_conv_kernel_size", 4)), width
    )
    latent = LayerRun(kind="mla", count=1, kv_heads=1, head_dim=latent_size(view))
    recurrent = _recurrent(view, "kimi_delta", tensors)
    return [latent if i + 1 in linear["full_attn_layers"] else recurrent for i in range(view.layers)]


def _pooled_index(view: ConfigView, width: int) -> list[LayerRun]:
    """GLM-5.3: three layers of delta attention to one of sparse latents, whose indexer keeps one key for a pool of tokens.

    Every latent layer has its own indexer, whatever ``indexer_types`` says (``Glm5NextMLAAttention``, 0.32 and 0.33).
    """
    linear = view.get("linear_attn_config")
    told = linear if isinstance(linear, dict) else {}
    tensors = state.kimi_delta(
        as_int(told.get("num_heads")) or view.integer("linear_num_heads") or 64,
        as_int(told.get("head_dim")) or view.integer("linear_head_dim") or 128,
        as_int(told.get("short_conv_kernel_size")) or view.integer("linear_conv_kernel_dim") or 4,
        width,
    )
    latent = LayerRun(
        kind="mla_sparse",
        count=1,
        kv_heads=1,
        head_dim=latent_size(view),
        index_dim=view.integer("index_head_dim") or 128,
        index_pool=view.integer("index_kpool") or 16,
    )
    recurrent = _recurrent(view, "kimi_delta", tensors)
    types = view.text.get("layer_types")
    if isinstance(types, list) and types:
        return [recurrent if str(kind) == "linear_attention" else latent for kind in types[: view.layers]]
    return [latent if i % 4 == 3 else recurrent for i in range(view.layers)]


def _bailing(view: ConfigView, width: int) -> list[LayerRun]:
    """Ling/Ring: latent attention in the last layer of each group; elsewhere lightning attention (2.5) or delta (3).

    Version 3 attends in the layers of an unfinished last group too.
    """
    group = view.need("layer_group_size")
    third = view.integer("short_conv_kernel_size")
    recurrent = (
        _recurrent(view, "kimi_delta", state.kimi_delta(view.heads, view.head_dim, third, width))
        if third
        else _recurrent(view, "lightning", state.lightning(view.heads, view.head_dim, width))
    )
    whole = view.layers // group * group if third else view.layers
    latent = LayerRun(kind="mla", count=1, kv_heads=1, head_dim=latent_size(view))
    return [latent if (i + 1) % group == 0 or i >= whole else recurrent for i in range(view.layers)]


def _zamba2(view: ConfigView, width: int) -> list[LayerRun]:
    """Zamba 2: Mamba-2 in every layer, attention beside it in the hybrid ones; each has its own cache."""
    listed, blocks = view.get("hybrid_layer_ids"), view.get("layers_block_type")
    if isinstance(listed, list):
        hybrid = {int(i) for i in listed}
    elif isinstance(blocks, list):
        hybrid = {i for i, block in enumerate(blocks) if str(block).startswith("hybrid")}
    else:
        raise UnknownArchitecture(f"{view.architecture}: no 'hybrid_layer_ids' says which layers attend")
    tensors = state.mamba2(
        view,
        inner=view.hidden * (view.integer("mamba_expand") or 2),
        heads=view.need("n_mamba_heads"),
        head_dim=view.need("mamba_headdim"),
        state=view.need("mamba_d_state"),
        groups=view.integer("mamba_ngroups") or 1,
        kernel=view.need("mamba_d_conv"),
        width=width,
    )
    full = LayerRun(kind="full", count=1, kv_heads=view.heads, head_dim=view.need("attention_head_dim"))
    recurrent = _recurrent(view, "mamba2", tensors)
    runs: list[LayerRun] = []
    for i in range(view.layers):
        runs += [full, recurrent.but(beside=True)] if i in hybrid else [recurrent]
    return runs


def _falcon_h1_state(view: ConfigView, width: int) -> tuple[StateTensor, ...]:
    inner = view.integer("mamba_d_ssm") or view.hidden * (view.integer("mamba_expand") or 2)
    return state.mamba2(
        view,
        inner=inner,
        heads=view.need("mamba_n_heads"),
        head_dim=view.need("mamba_d_head"),
        state=view.need("mamba_d_state"),
        groups=view.integer("mamba_n_groups") or 1,
        kernel=view.need("mamba_d_conv"),
        width=width,
    )


def _mamba2_state(view: ConfigView, width: int) -> tuple[StateTensor, ...]:
    """Mamba-2 under the names Granite, Bamba, Codestral and plain Mamba-2 use."""
    inner = view.hidden * (view.integer("mamba_expand", "expand") or 2)
    heads = view.need("mamba_n_heads", "num_heads")
    head_dim = view.integer("mamba_d_head", "head_dim") or inner // heads
    return state.mamba2(
        view,
        inner=inner,
        heads=heads,
        head_dim=head_dim,
        state=view.need("mamba_d_state", "state_size"),
        groups=view.integer("mamba_n_groups", "n_groups") or 1,
        kernel=view.need("mamba_d_conv", "conv_kernel"),
        width=width,
    )


def _mamba1_state(view: ConfigView, width: int) -> tuple[StateTensor, ...]:
    inner = view.integer("intermediate_size") if view.model_type in ("mamba", "falcon_mamba") else None
    inner = inner or view.hidden * (view.integer("mamba_expand", "expand") or 2)
    return state.mamba1(
        view,
        inner=inner,
        state=view.integer("mamba_d_state", "state_size") or 16,
        kernel=view.integer("mamba_d_conv", "conv_kernel") or 4,
        width=width,
    )


def _nemotron_state(view: ConfigView, width: int) -> tuple[StateTensor, ...]:
    heads, head_dim = view.need("mamba_num_heads"), view.need("mamba_head_dim")
    return state.mamba2(
        view,
        inner=heads * head_dim,
        heads=heads,
        head_dim=head_dim,
        state=view.need("ssm_state_size"),
        groups=view.integer("n_groups") or 1,
        kernel=view.need("conv_kernel"),
        width=width,
    )
