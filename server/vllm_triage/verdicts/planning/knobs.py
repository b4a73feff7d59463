"""Which flag to move on a configuration that misses a target: the one the missed figure hangs on."""

from math import ceil

from ...domain import Json
from ...engine.machine import whole
from .demand import Demand
from .launches import Launch
from .targets import Outcome
from .trials import Trial

__all__ = ["knobs"]

SMALLEST_BUDGET = 512
LARGEST_BUDGET = 32_768

POOL_FULL = 0.97
"""Use of the KV pool at which requests wait for blocks."""


def knobs(best: Trial, demand: Demand) -> list[dict[str, Json]]:
    """The change of one flag worth simulating; nothing where no flag moves the figure.

    A gap between tokens hangs on the token budget: a step takes as long as the prompt tokens it carries. A first token
    and a rate hang on the pool when it is full, else a first token hangs on the budget.
    """
    limiting, full = best.limiting, _starved(best)
    narrower: list[dict[str, Json]] = [{"kv_cache_dtype": "fp8"}] if full and _wide_cache(best.launch) else []
    if best.crowded or limiting is None or limiting.target.rate or limiting.target.metric.startswith("e2e"):
        return narrower
    if limiting.target.metric.startswith(("itl", "tpot")):
        budget = _smaller_budget(best, limiting, demand)
        return [{"max_num_batched_tokens": budget}] if budget else []
    now = whole(best.launch.deployment.setting("max_num_batched_tokens"), 2048)
    worth = 2 * now <= LARGEST_BUDGET and best.prediction.waiting > 0 and 2 * demand.computed > now
    return narrower or ([{"max_num_batched_tokens": 2 * now}] if worth else [])


def _starved(best: Trial) -> bool:
    return best.prediction.kv_usage_peak >= POOL_FULL and best.prediction.waiting > 0


def _smaller_budget(best: Trial, limiting: Outcome, demand: Demand) -> int | None:
    """The largest budget whose full step keeps within the limit, else the smallest; None where it is that small now."""
    layout = best.launch.layout
    now = whole(best.launch.deployment.setting("max_num_batched_tokens"), 2048)
    seats = ceil(best.prediction.running / layout.replicas / layout.engine.dp)
    least = max(SMALLEST_BUDGET, 2 * seats)
    budget = now // 2
    while budget >= least:
        step = best.cost.step_ms(seats, round(seats * demand.held), [(budget - seats, 0)])
        if step * best.cost.bands.itl[1] <= limiting.target.limit or budget // 2 < least:
            return budget
        budget //= 2
    return None


def _wide_cache(launch: Launch) -> bool:
    """True where keys and values take 16 bits."""
    return launch.deployment.setting("kv_cache_dtype") in ("auto", "bfloat16", "float16")
