"""The figures a verdict stands on, shown whatever the verdict is, and the contradictions between them."""

from ...domain import Json, MemoryBudget, Observation, Roofline
from ...engine.latency import Anatomy, Part
from ..thresholds import AT_POOL_HIGH, AT_SEATS_HIGH
from .signals import Signals

__all__ = ["contradictions", "derive"]

LITTLE_TOLERANCE = 1.25
"""R may exceed what is offered by this factor before the figures contradict: means of different windows."""


def derive(
    s: Signals,
    roof: Roofline,
    seen: Observation,
    *,
    memory: MemoryBudget | None,
    anatomy: Anatomy,
    notes: tuple[str, ...],
) -> dict[str, Json]:
    """R, seats, budget, floors and the rest by name; None where an input is missing."""
    pool = None if memory is None else memory.pool
    return {
        "R": _short(s.r),
        "R_from": s.r_from if s.r is not None else None,
        "R_with_prefill": _short(s.seated),
        "N": _short(s.n),
        "S_kv": _short(roof.seats_kv),
        "S_kv_range": None if s.s_kv_low is None else [_short(s.s_kv_low), _short(s.s_kv_high)],
        "S_kv_basis": None if pool is None else pool.basis,
        "pool_tokens": None if pool is None else pool.tokens,
        "S_seq": s.s_seq,
        "token_budget": s.budget,
        "concurrency": _short(s.load),
        "decode_floor_ms": _short(roof.decode_floor_ms),
        "weights_ms": _short(roof.weights_ms),
        "kv_reads_ms": _short(roof.kv_reads_ms),
        "compute_ms": _short(roof.compute_ms),
        "collectives_ms": _short(roof.collectives_ms),
        "tpot_over_floor": _ratio(s.tpot, s.floor),
        "prefill_floor_ms": _short(roof.prefill_floor_ms),
        "chunk_step_ms": _short(roof.chunk_step_ms),
        "saturation_batch": _short(roof.saturation_batch),
        "mfu": _short(roof.mfu),
        "max_output_tok_s": _short(roof.max_output_tok_s),
        "ttft_parts_ms": _parts(anatomy.ttft_ms, anatomy.ttft),
        "itl_parts_ms": _parts(anatomy.itl_ms, anatomy.itl),
        "conflicts": list(contradictions(s, roof, seen)),
        "notes": [*notes, *_notes(s, roof, seen)],
        "not_known": list(roof.missing),
        "assumptions": list(roof.assumptions),
    }


def contradictions(s: Signals, roof: Roofline, seen: Observation) -> tuple[str, ...]:
    """What cannot all be true. A measured figure past a physical limit is never explained, only reported."""
    said = [f"{c.what}: {' against '.join(c.values)}" for c in seen.conflicts]
    if s.below_floor:
        said.append(
            f"TPOT {s.tpot:.3g} ms is below the floor of {s.floor:.3g} ms at peak rates: model, precision, GPU or "
            "GPU count is not what was given, or the figure is wrong: tokens that came in bursts, or hidden ones (reasoning) "
            "that were counted and not timed"
        )
    if s.prefill_floor is not None and s.ttft is not None and s.ttft < 0.98 * s.prefill_floor:
        said.append(
            f"TTFT {s.ttft:.3g} ms is below the prefill floor of {s.prefill_floor:.3g} ms: a prefix-cache hit, or "
            "inputs that do "
            "not belong together"
        )
    if roof.mfu is not None and roof.mfu > 1:
        said.append(
            f"the token rate needs {roof.mfu:.0%} of peak FLOPs: cached prompt tokens, or a rate over more GPUs than "
            "given"
        )
    if roof.running is not None and s.offered is not None and roof.running > LITTLE_TOLERANCE * s.offered:
        said.append(
            f"R = output_tok_s x TPOT = {roof.running:.3g} exceeds the offered concurrency of {s.offered:g}: the "
            "rate may be total "
            "tokens, or summed over replicas"
        )
    if roof.running is not None and s.s_seq is not None and roof.running > AT_SEATS_HIGH * s.s_seq:
        said.append(
            f"R = {roof.running:.4g} exceeds max_num_seqs {s.s_seq}: the launch or the rate is of another server"
        )
    if s.running is not None and s.s_seq is not None and s.running > s.s_seq:
        said.append(
            f"{s.running:g} running exceeds max_num_seqs {s.s_seq}: launch and metrics are of different servers"
        )
    return tuple(said)


def _notes(s: Signals, roof: Roofline, seen: Observation) -> list[str]:
    said = []
    if s.skewed:
        said.append(
            f"mean TTFT {s.ttft:.4g} ms, median {s.ttft_typical:.4g} ms: a few requests are far slower, as the first "
            "ones after a "
            "start are while kernels compile; the verdict goes by the median"
        )
    if s.ttft is None and s.ttft_tail is not None:
        said.append(f"only a tail of TTFT is given ({s.ttft_tail:.4g} ms); the mean or median tells what most requests see")
    if seen.itl_ms_p99 is None and seen.itl_ms_p95 is not None:
        said.append("P99 ITL is not given, P95 stands for it: it can only show less of a stall")
    if s.idle_scrape:
        said.append(
            "the gauges show an idle server although load was measured: scraped before or after it, so they confirm "
            "nothing"
        )
    if roof.running is not None and s.running and not 0.5 <= roof.running / s.running <= 2:
        said.append(
            f"R by Little's law is {roof.running:.3g}, the gauge shows {s.running:g} running: one instant against "
            "the mean of a "
            "run, or a client that receives tokens in bursts"
        )
    if s.s_kv is None and roof.seats_kv is not None:
        said.append(
            f"R = {roof.running:.3g} is more than the {roof.seats_kv:.3g} seats of the predicted pool: the "
            "prediction is wrong "
            "here, so it was not used; paste the startup log, which prints the pool"
        )
    elif s.s_kv is not None and roof.running is not None and roof.running > AT_POOL_HIGH * s.s_kv:
        said.append(
            f"R = {roof.running:.3g} is more than the {s.s_kv:.3g} seats computed: shared prefixes, or a pool larger "
            "than predicted"
        )
    return said


def _parts(whole: float | None, parts: tuple[Part, ...]) -> Json:
    """Part name to ms, with the measured whole they add up to; None where nothing explains it."""
    if whole is None or not parts:
        return None
    return {"measured": _short(whole), **{part.name: _short(part.ms) for part in parts}}


def _short(value: float | None) -> Json:
    return None if value is None else float(f"{value:.4g}")


def _ratio(a: float | None, b: float | None) -> Json:
    return None if a is None or not b else float(f"{a / b:.3g}")
