"""Multi-head latent attention: one latent per token and layer, the same on every tensor-parallel rank."""

from ...domain import LayerRun
from .families import LATENT
from .view import ConfigView

__all__ = ["is_latent", "latent_layers", "latent_size"]


SPARSE_TYPES = ("indexed_attention", "deepseek_sparse_attention")
"""Names of sparse layers in ``layer_types``."""


def is_latent(view: ConfigView) -> bool:
    """True when vLLM runs the whole model with latent attention."""
    return view.model_type in LATENT and bool(view.integer("kv_lora_rank"))


def latent_size(view: ConfigView) -> int:
    """Elements of one latent: the compressed KV and the shared rotary key."""
    return view.need("kv_lora_rank") + (view.integer("qk_rope_head_dim") or 0)


def latent_layers(view: ConfigView) -> list[LayerRun]:
    """One run per layer; with an indexer (DeepSeek-V3.2, GLM-5) where the layer owns one."""
    # LongCat has two attention blocks in each decoder layer
    layers = 2 * view.layers if view.model_type == "longcat_flash" else view.layers
    index = view.integer("index_head_dim") if view.integer("index_topk") else None
    owns = _index_owners(view, layers)
    sparse = _sparse_layers(view, layers)
    latent = LayerRun(kind="mla", count=1, kv_heads=1, head_dim=latent_size(view))
    if not index:
        return [latent] * layers
    chosen = latent.but(kind="mla_sparse")
    return [latent if not sparse[i] else chosen.but(index_dim=index) if owns[i] else chosen for i in range(layers)]


def _sparse_layers(view: ConfigView, layers: int) -> list[bool]:
    """Which layers attend to chosen tokens only: all, unless ``layer_types`` names some that do not (Hunyuan 4)."""
    types = view.get("layer_types") if view.model_type == "hy_v4" else None
    if not isinstance(types, list):
        return [True] * layers
    return [i < len(types) and str(types[i]) in SPARSE_TYPES for i in range(layers)]


def _index_owners(view: ConfigView, layers: int) -> list[bool]:
    """Which layers own an indexer: all, unless ``indexer_types`` says some share their neighbour's."""
    types = view.get("indexer_types")
    if not isinstance(types, list):
        return [True] * layers
    return [i >= len(types) or str(types[i]) not in ("shared", "share") for i in range(layers)]
