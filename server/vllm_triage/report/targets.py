"""``slo``: what is wanted, by the names of the metrics."""

from math import inf
from typing import Annotated

from pydantic import BeforeValidator

__all__ = ["MORE_IS_BETTER", "SLO_METRICS", "Slo"]

SLO_METRICS = (
    "ttft_ms_mean", "ttft_ms_p99", "itl_ms_mean", "itl_ms_p99", "tpot_ms_mean", "output_tok_s", "total_tok_s",
    "request_rate",
)  # fmt: skip
MORE_IS_BETTER = frozenset({"output_tok_s", "total_tok_s", "request_rate"})


def _known(value: object) -> object:
    if isinstance(value, dict):
        unknown = [str(name) for name in value if name not in SLO_METRICS]
        if unknown:
            raise ValueError(f"unknown target {unknown[0][:40]!r}; accepted: {', '.join(SLO_METRICS)}")
        for name, limit in value.items():
            if isinstance(limit, int | float) and not 0 < limit < inf:
                raise ValueError(f"{name}: a target is a number above zero")
    return value


Slo = Annotated[dict[str, float], BeforeValidator(_known)]
"""Targets by metric name; an unknown name is refused with those that exist, and so is a target that is not above zero."""
