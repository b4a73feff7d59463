"""Encoders beside the language model, and what joins them to it: counted from their own configs.

Counted are attention and feed-forward of each block and the projector; patch embeddings, positions and norms are small.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ...domain import WeightPart
from .view import ConfigView, as_int

__all__ = ["tower_parts", "vision_heads"]

VISION = ("vision_config", "vit_config", "visual", "vision_encoder")
AUDIO = ("audio_config",)


def tower_parts(view: ConfigView) -> list[WeightPart]:
    """The towers whose sizes the config gives, as one part; empty where there are none."""
    if as_int(view.get("encoder_layers")) and not isinstance(view.whole.get("thinker_config"), Mapping):
        size, wide = view.hidden, view.integer("encoder_ffn_dim") or 4 * view.hidden
        return [WeightPart(role="tower", params=(as_int(view.get("encoder_layers")) or 0) * block(size, wide, 2))]
    total = sum(vision_tower(config, view.hidden) for config in configs(view.whole, VISION))
    total += sum(audio_tower(config, view.hidden) for config in configs(view.whole, AUDIO))
    return [WeightPart(role="tower", params=total)]


def vision_heads(view: ConfigView) -> int | None:
    """Attention heads of the vision encoder; None where there is none, or its config does not say."""
    for config in configs(view.whole, VISION):
        return first(config, "num_heads", "num_attention_heads") or None
    return None


def configs(whole: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    """The configs of one kind of tower, of the model or of the thinker inside it."""
    inner = whole.get("thinker_config")
    for source in (whole, inner if isinstance(inner, Mapping) else {}):
        found = [config for name in names if isinstance(config := source.get(name), Mapping)]
        yield from found[:1]


def vision_tower(config: Mapping[str, Any], hidden: int) -> int:
    """A vision transformer and its projector into `hidden`; 0 where its sizes are not given."""
    depth = first(config, "num_hidden_layers", "depth", "layers")
    width = first(config, "embed_dim", "hidden_size", "width")
    if not depth or not width:
        return 0
    ratio = config.get("mlp_ratio")
    inner = first(config, "intermediate_size") or round(width * (ratio if isinstance(ratio, int | float) else 4))
    gated = config.get("hidden_act") == "silu" or config.get("model_type") == "pixtral"
    joins, out, merged = 1, first(config, "out_hidden_size") or hidden, 0
    if merge := first(config, "spatial_merge_size"):
        merged = width * merge * merge
        stacked = config.get("deepstack_visual_indexes")
        joins += len(stacked) if isinstance(stacked, list) else 0
    projector = merged * merged + merged * out if merged else width * hidden + hidden * hidden
    return depth * block(width, inner, 3 if gated else 2) + joins * projector


def audio_tower(config: Mapping[str, Any], hidden: int) -> int:
    """An audio encoder of Whisper's kind, and its projection into `hidden`; 0 for others."""
    depth, width = first(config, "encoder_layers"), first(config, "d_model")
    if not depth or not width:
        return 0
    return depth * block(width, first(config, "encoder_ffn_dim") or 4 * width, 2) + width * hidden


def block(width: int, inner: int, matrices: int) -> int:
    """Parameters of one block."""
    return 4 * width * width + matrices * width * inner


def first(config: Mapping[str, Any], *names: str) -> int:
    """The first of `names` that is a positive whole number, else 0."""
    return next((size for name in names if (size := as_int(config.get(name))) and size > 0), 0)
