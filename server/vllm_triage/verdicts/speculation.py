"""Speculative decoding as a launch asks for it, read the way vLLM's own ``SpeculativeConfig`` reads it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ..domain import Json, ModelShape

__all__ = ["Speculation", "ngram", "read_speculation"]

NGRAM = frozenset({"ngram", "[ngram]"})

EAGLE_LIKE_DRAFTS = ("eagle", "eagle3", "mtp", "dflash", "dspark")
"""Methods that draft from the target's hidden states (SpeculativeConfig.use_eagle, 0.33.0)."""

_FLAGS = {
    "spec_method": "method", "spec_model": "model", "spec_tokens": "num_speculative_tokens",
    "speculative_model": "model", "num_speculative_tokens": "num_speculative_tokens",
    "ngram_prompt_lookup_max": "prompt_lookup_max", "ngram_prompt_lookup_min": "prompt_lookup_min",
    "speculative_draft_tensor_parallel_size": "draft_tensor_parallel_size", "speculative_max_model_len": "max_model_len",
}  # fmt: skip
"""Flags that say one key of the JSON: the shorthands from 0.22, and those of the V0 engine through 0.8.2."""


@dataclass(frozen=True, slots=True)
class Speculation:
    """One speculative configuration."""

    raw: Mapping[str, Json]
    """The JSON as given, with --spec-method, --spec-model and --spec-tokens folded in."""
    method: str
    """The method vLLM resolves: given, or found from the draft's name, or ``draft_model``."""
    asked_method: str | None
    """The method as given."""
    model: str | None
    tokens: int | None
    """num_speculative_tokens as given."""

    @property
    def certain(self) -> bool:
        """True unless the method hangs on a draft whose config nobody here knows.

        vLLM looks at the draft's own model type before it takes it for an independent model.
        """
        return self.asked_method is not None or self.method != "draft_model" or self.draft is not None

    @property
    def draft(self) -> ModelShape | None:
        """The draft model's shape, when the catalogue knows it."""
        return None if self.model is None else _shape(self.model)

    @property
    def uses_draft_model(self) -> bool:
        """True for an independent draft model."""
        return self.method == "draft_model"

    @property
    def parallel(self) -> bool:
        """True when all draft tokens are made in one pass."""
        return self.raw.get("parallel_drafting") is True

    @property
    def slots(self) -> int:
        """Scheduler slots that 0.17-0.27 reserve per sequence (SpeculativeConfig.max_num_new_slots_for_drafting)."""
        if self.parallel and self.tokens:
            return self.tokens if self.uses_draft_model else self.tokens - 1
        return 1 if self.uses_draft_model else 0

    @property
    def lookahead(self) -> int:
        """KV slots a draft writes past the scheduled tokens of a sequence (VllmConfig.num_lookahead_tokens, 0.28 to 0.33).

        A DSpark draft that fills in would take one more; whether it does is in its own config, so it counts as the others.
        """
        if self.tokens is None or self.method not in (*EAGLE_LIKE_DRAFTS, "draft_model"):
            return 0
        return self.tokens + (self.method == "dflash")

    def but(self, **changes: Json) -> dict[str, Json]:
        """The JSON with `changes` applied; a key set to None is taken out."""
        return {key: value for key, value in {**self.raw, **changes}.items() if value is not None}


def ngram(tokens: int | None, method: str = "ngram") -> dict[str, Json]:
    """A speculative configuration without a draft model, drafting as many tokens: the way out of many refusals."""
    return {"method": method, "num_speculative_tokens": tokens or 3, "prompt_lookup_max": 4}


def read_speculation(args: Mapping[str, Json]) -> Speculation | None:
    """The speculative configuration of a launch, or None when it has none."""
    given = args.get("speculative_config")
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return None
    raw: dict[str, Json] = dict(given) if isinstance(given, dict) else {}
    for dest, key in _FLAGS.items():
        if args.get(dest) is not None:
            raw.setdefault(key, args[dest])
    if not raw and not isinstance(given, dict):
        return None
    asked, model, tokens = raw.get("method"), raw.get("model"), raw.get("num_speculative_tokens")
    asked_method = asked if isinstance(asked, str) else None
    return Speculation(
        raw=raw,
        method=_resolve(asked_method, model if isinstance(model, str) else None),
        asked_method=asked_method,
        model=model if isinstance(model, str) else None,
        tokens=tokens if isinstance(tokens, int) and not isinstance(tokens, bool) else None,
    )


def _resolve(method: str | None, model: str | None) -> str:
    """The method as ``SpeculativeConfig.__post_init__`` finds it."""
    if method in NGRAM or (method is None and model in NGRAM):
        return "ngram"
    if method is not None and method.endswith("_mtp"):  # deepseek_mtp and its like are rewritten to mtp
        return "mtp"
    if method in (None, "draft_model") and model is not None:
        name = model.lower()
        if "eagle-" in name:
            return "eagle"
        for drafter in ("eagle3", "dflash", "dspark"):
            if drafter in name:
                return drafter
        return _kind_of_draft(model) or "draft_model"
    return method or "draft_model"


def _kind_of_draft(model: str) -> str | None:
    shape = _shape(model)
    kind = None if shape is None else shape.model_type
    if kind in ("medusa", "mlp_speculator"):
        return kind
    return "mtp" if kind is not None and kind.endswith("_mtp") else None


@cache
def _shape(name: str) -> ModelShape | None:
    from ..facts import models  # noqa: PLC0415 - a large catalogue, read only when a draft model is named
    from ..readers.model_config import UnknownArchitecture, read_model_config  # noqa: PLC0415

    facts = models.find(name)
    if facts is None:
        return None
    try:
        return read_model_config(
            facts.config,
            facts.id,
            params_total=facts.params_total,
            params_active=facts.params_active,
            source="catalogue",
        )
    except UnknownArchitecture:
        return None
