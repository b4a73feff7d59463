"""The load, by Little's law: how many sequences decode at once, and how many requests are in the system.

Two identities hold on any device, under any scheduler: the mean number of decoding sequences is the output rate times
the time per output token, and the mean number of requests in the system is their rate times their stay.
"""

from dataclasses import dataclass

from ..domain import Measured, Observation

__all__ = ["Load", "read_load"]


@dataclass(frozen=True, slots=True)
class Load:
    """What was measured, reduced to the numbers the arithmetic uses. None where nothing says it."""

    input_tokens: float | None
    output_tokens: float | None
    tpot_ms: float | None
    tpot_from: str
    """Which measurement stands for the time per output token."""
    ttft_ms: float | None
    output_tok_s: float | None
    total_tok_s: float | None
    request_rate: float | None
    concurrency: float | None
    running: float | None
    """R: sequences decoding at once."""
    in_system: float | None
    """N: requests between arrival and last token."""
    before_first: float | None
    """Requests that have no token yet: waiting or in prefill."""
    notes: tuple[str, ...]


def read_load(seen: Observation) -> Load:
    """The load an observation describes."""
    notes: list[str] = []
    isl, osl = _positive(seen.input_tokens), _positive(seen.output_tokens)
    tpot, tpot_from = _tpot(seen, notes)
    ttft = _first(seen.ttft_ms_mean, seen.ttft_ms_p50)
    out, total, rate = _positive(seen.output_tok_s), _positive(seen.total_tok_s), _positive(seen.request_rate)
    if out is None and total and isl and osl:
        out = total * osl / (isl + osl)
        notes.append("output rate taken from the total rate by the share of output tokens")
    if rate is None and out and osl:
        rate = out / osl
    if total is None and out:
        prompts = _positive(seen.prompt_tok_s) or (rate * isl if rate and isl else None)
        total = None if prompts is None else out + prompts
    concurrency = _positive(seen.concurrency)
    running = None if out is None or tpot is None else out * tpot / 1000
    before = None if rate is None or ttft is None else rate * ttft / 1000
    stay = _stay_ms(seen, ttft, tpot, osl)
    return Load(
        isl,
        osl,
        tpot,
        tpot_from,
        ttft,
        out,
        total,
        rate,
        concurrency,
        running,
        None if rate is None or stay is None else rate * stay / 1000,
        before,
        tuple(notes),
    )


def _tpot(seen: Observation, notes: list[str]) -> tuple[float | None, str]:
    """Time per output token: TPOT where given, else the mean gap between chunks over the tokens in one chunk."""
    if (value := _positive(seen.tpot_ms_mean)) is not None:
        return value, "TPOT mean"
    length = _positive(seen.acceptance_length)
    for name, found in (("ITL mean", seen.itl_ms_mean), ("ITL median", seen.itl_ms_p50)):
        if (value := _positive(found)) is not None:
            if length is not None and length > 1:
                notes.append(f"TPOT taken as {name} over the acceptance length: a chunk carries {length:.2f} tokens")
                return value / length, name
            notes.append(f"TPOT taken as {name}: right while one chunk carries one token")
            return value, name
    return None, ""


def _stay_ms(seen: Observation, ttft: float | None, tpot: float | None, osl: float | None) -> float | None:
    """Time a request stays: to its first token and through its output; else the end-to-end figure."""
    if ttft is None or tpot is None or osl is None:
        return _positive(seen.e2e_ms_mean)
    return ttft + max(0.0, osl - 1) * tpot


def _first(*found: Measured | None) -> float | None:
    for one in found:
        if (value := _positive(one)) is not None:
            return value
    return None


def _positive(found: Measured | None) -> float | None:
    """The value, if it is a number above zero: a zero latency or rate is a field nobody filled in."""
    return found.value if found is not None and found.value > 0 else None
