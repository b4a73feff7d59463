"""Limits that the engine's configuration puts on a value, after the parser has accepted it (``--max-num-seqs 0``)."""

from functools import lru_cache

from vllm_triage.domain.base import Json
from vllm_triage.facts.flag_configs import Description, accepted_field

__all__ = ["out_of_range"]

_SIGNS = {"ge": "at least", "gt": "greater than", "le": "at most", "lt": "less than"}


def out_of_range(dest: str, value: Json, version: str) -> str | None:
    """What the configuration of this release wants instead of `value`, or None when it is content."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    limits = _limits(dest, version)
    if not limits:
        return None
    kept = (
        value >= limits.get("ge", value)
        and value <= limits.get("le", value)
        and ("gt" not in limits or value > limits["gt"])
        and ("lt" not in limits or value < limits["lt"])
    )
    if kept:
        return None
    return "it must be " + " and ".join(f"{_SIGNS[name]} {limit:g}" for name, limit in limits.items())


@lru_cache(maxsize=4096)
def _limits(dest: str, version: str) -> dict[str, float]:
    """The numeric limits of a plain option; none where the configuration class changes the value first."""
    found: Description = accepted_field(dest, version)
    while isinstance(found, list):
        kind, *rest = found
        if kind == "limits" and isinstance(rest[1], dict):
            return {name: limit for name, limit in rest[1].items() if name in _SIGNS and isinstance(limit, int | float)}
        if kind == "?":
            found = rest[0]
        elif kind == "via" and str(rest[0]).startswith("wrap:") and str(rest[0]).endswith("_skip_none_validation"):
            found = rest[1]
        else:
            return {}
    return {}
