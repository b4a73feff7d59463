"""What cannot be true at once: two sources for one value, or values and arithmetic. Reported, never averaged."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ..domain import Conflict, PoolReading
from .reading import Reading

__all__ = ["contradictions", "pool_conflicts"]

UNITS = {"_ms_": "ms", "_tok_s": "tok/s", "_rate": "/s", "_tokens": "tokens", "concurrency": ""}
FLOORS = {"ms": 2.0, "tok/s": 10.0, "/s": 0.5, "tokens": 8.0, "": 1.0}
"""Differences below these are noise whatever the ratio: client streams arrive in bundles, clocks tick."""

SAME_RUN = 1.25
"""Ratio within which two accounts of one run agree."""
TWO_VIEWS = 1.6
"""Client against server: the client adds its own event loop, the interval may hold warm-up."""
WAY = 100.0
"""And up to this many ms of network and HTTP before the first token."""
COARSE = 2.5
"""Against an average over log lines that were partly idle."""
DRAINING = 0.3
"""Share of the stated concurrency that must be in the system on average: a burst drains to half of it and less."""
TAILS = 5.0
"""A client's percentile against one read off the server's buckets."""

NO_COMPARISON = frozenset({"lifetime", "derived", "gauge"})
"""A lifetime mean and a gauge say nothing against another moment."""

COMPARED = (
    "ttft_ms_mean", "ttft_ms_p50", "ttft_ms_p99", "itl_ms_mean", "itl_ms_p50", "itl_ms_p99", "tpot_ms_mean",
    "tpot_ms_p99", "e2e_ms_mean", "output_tok_s", "total_tok_s", "request_rate", "input_tokens", "output_tokens",
    "concurrency",
)  # fmt: skip


def unit_of(name: str) -> str:
    """The unit a field is printed with."""
    return next((unit for part, unit in UNITS.items() if part in f"{name}_"), "")


def contradictions(values: Mapping[str, Reading], readings: Mapping[str, Sequence[Reading]]) -> list[Conflict]:
    """All contradictions of the chosen `values` with each other and with the other `readings`."""
    found = [c for name in COMPARED if (c := _sources(name, readings.get(name, ()))) is not None]
    return found + _order(values) + _products(values) + _little(values)


def _sources(name: str, readings: Sequence[Reading]) -> Conflict | None:
    comparable = [r for r in readings if r.kind not in NO_COMPARISON]
    if len(comparable) < 2:
        return None
    best = comparable[0]
    against = [r for r in comparable[1:] if _apart(name, best, r)]
    return Conflict(what=name, values=tuple(_said(name, r) for r in [best, *against])) if against else None


def _apart(name: str, a: Reading, b: Reading) -> bool:
    kinds = {a.kind, b.kind}
    if b.kind == "log" and b.value < a.value:
        return False  # the line's interval was partly idle
    two_views = bool(kinds & {"interval", "query"}) and len(kinds) > 1
    floor = WAY if two_views and name.startswith(("ttft", "e2e")) else FLOORS[unit_of(name)]
    if abs(a.value - b.value) <= floor:
        return False
    tail = two_views and not name.endswith("_mean") and "_ms_" in name
    tolerance = TAILS if tail else COARSE if "log" in kinds else TWO_VIEWS if two_views else SAME_RUN
    low, high = sorted((a.value, b.value))
    return high > tolerance * low


def _said(name: str, reading: Reading) -> str:
    return f"{reading.value:.6g} {unit_of(name)}".rstrip() + f" ({reading.source})"


def _order(values: Mapping[str, Reading]) -> list[Conflict]:
    """Pairs of which the first cannot be the larger."""
    tails = ("p50", "p90", "p95", "p99")
    pairs = [
        *((f"{stem}_{a}", f"{stem}_{b}") for stem in ("ttft_ms", "itl_ms", "tpot_ms", "e2e_ms") for a, b in pairwise(tails)),
        *((f"{stem}_p50", f"{stem}_p99") for stem in ("ttft_ms", "itl_ms", "tpot_ms", "e2e_ms")),
        ("ttft_ms_mean", "e2e_ms_mean"), ("output_tok_s", "total_tok_s"),
    ]  # fmt: skip
    out = []
    for small, large in pairs:
        a, b = values.get(small), values.get(large)
        if a and b and a.kind == b.kind and a.kind != "lifetime" and a.value > 1.02 * b.value + 0.01:
            out.append(Conflict(what=f"{small} is above {large}", values=(_said(small, a), _said(large, b))))
    return out


def _products(values: Mapping[str, Reading]) -> list[Conflict]:
    """Token rates against request rate times length."""
    out = []
    for name, lengths in (("output_tok_s", ("output_tokens",)), ("total_tok_s", ("input_tokens", "output_tokens"))):
        rate, stated = values.get("request_rate"), values.get(name)
        parts = [values[n] for n in lengths if n in values]
        if rate is None or stated is None or len(parts) < len(lengths):
            continue
        if any(r.kind in NO_COMPARISON for r in (rate, stated, *parts)):
            continue
        product = rate.value * sum(p.value for p in parts)
        low, high = sorted((product, stated.value))
        if high > SAME_RUN * low and high - low > FLOORS["tok/s"]:
            arithmetic = " + ".join(lengths)
            out.append(
                Conflict(
                    what=name, values=(_said(name, stated), f"{product:.6g} tok/s (request_rate x ({arithmetic}))")
                )
            )
    return out


def _little(values: Mapping[str, Reading]) -> list[Conflict]:
    """Little's law: requests in the system = rate x time in the system."""
    stated = values.get("concurrency")
    names = ("ttft_ms_mean", "tpot_ms_mean", "output_tokens")
    if stated is None or stated.value <= 0 or "request rate x" in stated.source:
        return []
    ttft, tpot, length = (values.get(n) for n in names)
    tpot = tpot or values.get("itl_ms_mean")
    rate, output = values.get("request_rate"), values.get("output_tok_s")
    if ttft is None or tpot is None or length is None or length.value < 1 or (rate is None and output is None):
        return []
    used = [r for r in (ttft, tpot, length, rate or output) if r is not None]
    if any(r.kind in NO_COMPARISON for r in used):
        return []
    per_second = rate.value if rate else (output.value if output else 0.0) / length.value
    held = (ttft.value + max(length.value - 1, 0) * tpot.value) / 1000
    inside = per_second * held
    law = f"{inside:.4g} in the system (request rate {per_second:.4g}/s x {held:.4g} s)"
    if inside > SAME_RUN * stated.value + 1:
        return [
            Conflict(
                what="Little's law: more requests in the system than the stated concurrency",
                values=(_said("concurrency", stated), law),
            )
        ]
    if inside < DRAINING * stated.value - 1:
        return [
            Conflict(
                what="Little's law: fewer requests in the system than the stated concurrency",
                values=(_said("concurrency", stated), law),
            )
        ]
    return []


def pool_conflicts(pools: Sequence[PoolReading]) -> list[Conflict]:
    """A startup log and a scrape of different servers."""
    sizes = {(p.source, p.tokens) for p in pools if p.tokens}
    tokens = [t for _, t in sizes if t is not None]
    if tokens and max(tokens) > 1.01 * min(tokens):
        return [Conflict(what="KV pool size", values=tuple(sorted(f"{t} tokens ({source})" for source, t in sizes)))]
    return []
