"""The longest context vLLM derives from a config, as ``_get_and_verify_max_len`` does without a user's value."""

from collections.abc import Iterator, Mapping
from typing import Any

from .view import ConfigView

__all__ = ["derived_max_model_len", "yarn_max_model_len"]

KEYS = (
    "max_position_embeddings",
    "n_positions",
    "max_seq_len",
    "seq_length",
    "model_max_length",
    "max_target_positions",
    "max_sequence_length",
    "max_seq_length",
    "seq_len",
)
"""The names a length goes by; the smallest found counts."""

UNSCALED = frozenset({"su", "longrope", "llama3", "yarn", "deepseek_yarn", "deepseek_llama_scaling"})
"""Rope types whose factor is not multiplied onto the length, from 0.30 on (before, the YaRN types were)."""


def derived_max_model_len(view: ConfigView) -> int | None:
    """Tokens, by the rules of 0.30 and later; None when the config names no length (vLLM then assumes 2048)."""
    length = named_length(view)
    if length is None:
        return None
    ropes = [] if "gemma3" in view.model_type else list(rope_parameters(view.text))
    factor = 1.0
    for rope in ropes:
        if kind_of(rope) not in UNSCALED:
            factor = number(rope.get("factor")) or factor
    if any(kind_of(rope) == "longrope" for rope in ropes):
        original = view.text.get("original_max_position_embeddings")
        if isinstance(original, int) and original > 0:
            return original
    return int(length * factor)


def yarn_max_model_len(view: ConfigView) -> int | None:
    """Tokens by the rules before 0.30 where they differ: YaRN's original length times its factor; None without YaRN."""
    if "gemma3" in view.model_type:
        return None
    for rope in rope_parameters(view.text):
        original, factor = number(rope.get("original_max_position_embeddings")), number(rope.get("factor"))
        if kind_of(rope) in ("yarn", "deepseek_yarn") and original and factor:
            return int(original * factor)
    return None


def named_length(view: ConfigView) -> float | None:
    """The smallest length the config names; ``model_max_length`` outranks the others."""
    explicit = number(view.text.get("model_max_length"))
    found = [value for key in KEYS if (value := number(view.text.get(key)))]
    return explicit or (min(found) if found else number(view.default("max_position_embeddings")))


def rope_parameters(text: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Each rope setting: one for the model, or one per layer type."""
    rope = text.get("rope_parameters") or text.get("rope_scaling")
    if isinstance(rope, Mapping):
        nested = [value for value in rope.values() if isinstance(value, Mapping)]
        yield from nested or [rope]


def kind_of(rope: Mapping[str, Any]) -> str:
    """The rope type under either of its names."""
    return str(rope.get("rope_type") or rope.get("type") or "default")


def number(value: object) -> float | None:
    """A positive number, else None."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else None
