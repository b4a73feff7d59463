"""The longest context vLLM derives from a config, as ``_get_and_verify_max_len`` does without a user's value."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from .view import ConfigView

__all__ = ["derived_max_model_len"]

KEYS = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "model_max_length", "max_target_positions",
        "max_sequence_length", "max_seq_length", "seq_len")  # fmt: skip
"""The names a length goes by; the smallest found counts."""

ALREADY_SCALED = {"su", "longrope", "llama3", "yarn", "deepseek_yarn", "deepseek_llama_scaling"}
"""Rope types whose factor is not multiplied onto the length (yarn has its own rule below)."""


def derived_max_model_len(view: ConfigView) -> int | None:
    """Tokens; None when the config names no length (vLLM then assumes 2048)."""
    found = [v for key in KEYS if isinstance(v := view.text.get(key), int | float) and not isinstance(v, bool) and v > 0]
    length = float(min(found)) if found else math.inf
    explicit = view.text.get("model_max_length")
    if isinstance(explicit, int | float) and explicit > 0:
        length = float(explicit)
    if math.isinf(length):
        return None
    ropes = list(_rope_parameters(view.text))
    if ropes and "gemma3" not in view.model_type:
        factor = 1.0
        for rope in ropes:
            kind = str(rope.get("rope_type") or rope.get("type") or "default")
            if kind not in ALREADY_SCALED:
                factor = float(rope.get("factor") or factor)
            elif kind == "yarn" and isinstance(rope.get("original_max_position_embeddings"), int):
                length = max(length, 0.0)
        length *= factor
    if any(str(rope.get("rope_type") or rope.get("type")) == "longrope" for rope in ropes):
        original = view.text.get("original_max_position_embeddings")
        if isinstance(original, int):
            return original
    return int(length)


def _rope_parameters(text: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Each rope setting: one for the model, or one per layer type."""
    rope = text.get("rope_parameters") or text.get("rope_scaling")
    if not isinstance(rope, Mapping):
        return
    nested = [value for value in rope.values() if isinstance(value, Mapping)]
    yield from nested or [rope]
