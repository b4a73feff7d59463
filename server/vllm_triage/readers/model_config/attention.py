"""What each layer caches, by architecture family.

A family is recognised by ``architectures[0]`` or ``model_type``. What is in none of them is refused by name: attention
that is not understood is never sized as if it were dense.
"""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from ...domain import LayerRun
from .families import DENSE, HYBRID, LATENT, SLIDING
from .hybrids import hybrid_layers
from .view import ConfigView, UnknownArchitecture, as_int

__all__ = ["attention_runs", "uses_latent"]


def attention_runs(view: ConfigView, width: int) -> tuple[LayerRun, ...]:
    """Runs of layers with equal caches, in model order.

    Raises:
        UnknownArchitecture: the architecture, or its attention, is not known.
    """
    if uses_latent(view):
        return merge(latent_layers(view))
    family = _family(view)
    if family == "hybrid":
        return merge(hybrid_layers(view, width))
    if family == "dense":
        _refuse_foreign_attention(view)
    return merge(plain_layers(view))


def uses_latent(view: ConfigView) -> bool:
    """True when vLLM runs the model with multi-head latent attention (its ``is_deepseek_mla``)."""
    return view.model_type in LATENT and view.get("kv_lora_rank") is not None and view.model_type != "kimi_linear"


def merge(layers: Iterable[LayerRun]) -> tuple[LayerRun, ...]:
    """Neighbouring equal layers as one run."""
    return tuple(run.but(count=sum(r.count for r in same)) for run, same in _grouped(layers))


def _grouped(layers: Iterable[LayerRun]) -> Iterable[tuple[LayerRun, list[LayerRun]]]:
    for _, same in groupby(layers, key=lambda run: run.but(count=1)):
        runs = list(same)
        yield runs[0], runs


def _family(view: ConfigView) -> str:
    """``dense``, ``sliding`` or ``hybrid``."""
    for name in (view.architecture, view.model_type):
        for family, members in (("hybrid", HYBRID), ("sliding", SLIDING), ("dense", DENSE)):
            if name and name in members:
                return family
    named = view.architecture or view.model_type
    if not named:
        raise UnknownArchitecture("config.json names neither 'architectures' nor 'model_type': its attention cannot be known")
    raise UnknownArchitecture(f"attention of {named} (model_type {view.model_type or 'not given'}) is not known; it is not sized as if it were dense")


FOREIGN = ("kv_lora_rank", "linear_attn_config", "ssm_cfg", "hybrid_override_pattern", "layers_block_type", "attn_type_list",
           "linear_num_value_heads", "mamba_d_state", "ssm_state_size", "index_head_dim", "compress_ratios", "attn_layer_period",
           "sparse_attention_config", "mixer_types", "linear_attention")  # fmt: skip
"""Keys that announce attention a dense model does not have."""


def _refuse_foreign_attention(view: ConfigView) -> None:
    """A dense architecture whose config describes something else is not what its name says."""
    for key in FOREIGN:
        if view.text.get(key):
            raise UnknownArchitecture(f"{view.architecture or view.model_type} with {key!r}: attention not known for this architecture")
    kinds = view.text.get("layer_types")
    if isinstance(kinds, list) and (strange := sorted({str(k) for k in kinds} - {"full_attention", "sliding_attention", "chunked_attention"})):
        raise UnknownArchitecture(f"{view.architecture or view.model_type} has layers of type {strange[0]!r}, which is not known")


def latent_layers(view: ConfigView) -> list[LayerRun]:
    """Multi-head latent attention: one latent per token and layer, the same on every TP rank."""
    dim = view.need("kv_lora_rank") + (view.integer("qk_rope_head_dim") or 0)
    index = view.integer("index_head_dim")
    kind = "mla_sparse" if index else "mla"
    with_index = _index_layers(view) if index else []
    return [
        LayerRun(kind=kind, count=1, kv_heads=1, head_dim=dim, index_dim=index if index and with_index[i] else None)
        for i in range(view.layers)
    ]


def _index_layers(view: ConfigView) -> list[bool]:
    """Which layers own an indexer: all, unless ``indexer_types`` says some share their neighbour's."""
    types = view.get("indexer_types")
    if isinstance(types, list) and types:
        return [str(types[i]) != "shared" if i < len(types) else True for i in range(view.layers)]
    return [True] * view.layers


def plain_layers(view: ConfigView) -> list[LayerRun]:
    """Multi-head, grouped-query and multi-query attention, full or with a window, per layer."""
    full = LayerRun(kind="full", count=1, kv_heads=view.kv_heads, head_dim=view.head_dim, head_dim_v=view.integer("v_head_dim"))
    window = sliding_window(view)
    chunk = view.integer("attention_chunk_size") if view.model_type.startswith("llama4") else None
    layers = []
    for kind in layer_kinds(view):
        if kind == "sliding" and window:
            layers.append(full.but(kind="sliding_window", window=window))
        elif kind == "chunked" and chunk:
            layers.append(full.but(kind="chunked_local", window=chunk))
        else:
            layers.append(full)
    return layers


def sliding_window(view: ConfigView) -> int | None:
    """Window in tokens; None when there is none or it is switched off."""
    if view.text.get("use_sliding_window") is False:
        return None
    if "sliding_window" not in view.text and view.model_type in DEFAULT_WINDOW:
        return DEFAULT_WINDOW[view.model_type]
    window = as_int(view.text.get("sliding_window"))
    if window and view.model_type == "cohere2":
        return window + 1  # Cohere's window excludes the token itself; vLLM adds it back
    return window or None


DEFAULT_WINDOW = {"mistral": 4096, "gemma2": 4096, "gemma3": 4096, "gemma3_text": 4096, "gpt_oss": 128, "cohere2": 4096, "olmo3": 4096}
"""What transformers takes where the key is absent."""

USES_WINDOW_ON_REQUEST = {"qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "qwen2_vl_text", "qwen2_5_vl_text"}


def layer_kinds(view: ConfigView) -> list[str]:
    """``full``, ``sliding`` or ``chunked`` for each layer."""
    layers = view.layers
    if view.model_type == "gpt_oss":
        return ["sliding" if i % 2 == 0 else "full" for i in range(layers)]
    if view.model_type.startswith("llama4"):
        return _chunked_kinds(view)
    types = view.text.get("layer_types")
    if isinstance(types, list) and types:
        names = {"full_attention": "full", "sliding_attention": "sliding", "chunked_attention": "chunked"}
        kinds = [names.get(str(kind), "full") for kind in types[:layers]]
        return kinds + ["full"] * (layers - len(kinds))
    if pattern := PERIODIC.get(view.model_type):
        period = as_int(view.get("sliding_window_pattern", "_sliding_window_pattern")) or pattern
        return ["full" if (i + 1) % period == 0 else "sliding" for i in range(layers)]
    if view.model_type in USES_WINDOW_ON_REQUEST and not view.text.get("use_sliding_window"):
        return ["full"] * layers
    return ["sliding" if sliding_window(view) else "full"] * layers


PERIODIC = {"gemma2": 2, "gemma3": 6, "gemma3_text": 6, "cohere2": 4, "olmo3": 4, "exaone4": 4}
"""Every n-th layer attends to everything, the others to a window (config class defaults)."""


def _chunked_kinds(view: ConfigView) -> list[str]:
    """Llama 4: layers without rope attend to everything, the others within chunks."""
    no_rope = view.get("no_rope_layers")
    step = view.integer("no_rope_layer_interval") or 4
    if isinstance(no_rope, list) and no_rope:
        return ["chunked" if flag else "full" for flag in no_rope[: view.layers]]
    return ["full" if (i + 1) % step == 0 else "chunked" for i in range(view.layers)]


Reader = Callable[[ConfigView, int], list[LayerRun]]
JsonObject = dict[str, Any]
