"""Multi-head latent attention: one latent per token and layer, the same on every tensor-parallel rank."""

from ...domain import LayerRun
from .families import LATENT
from .view import ConfigView

__all__ = ["is_latent", "latent_layers", "latent_size"]


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
    latent = LayerRun(kind="mla_sparse" if index else "mla", count=1, kv_heads=1, head_dim=latent_size(view))
    return [latent.but(index_dim=index) if index and owns[i] else latent for i in range(layers)]


def _index_owners(view: ConfigView, layers: int) -> list[bool]:
    """Which layers own an indexer: all, unless ``indexer_types`` says some share their neighbour's."""
    types = view.get("indexer_types")
    if not isinstance(types, list):
        return [True] * layers
    return [i >= len(types) or str(types[i]) not in ("shared", "share") for i in range(layers)]
