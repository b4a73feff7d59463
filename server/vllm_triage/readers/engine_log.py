"""The engine's periodic lines: throughput, queue, KV usage and speculation, over time.

V1 prints ``Engine 000: Avg prompt throughput: ...`` (every 10 s unless idle), V0 the same without the engine and with
``Swapped`` and ``Pending`` in place of ``Waiting``. Usage and hit rates are in percent; ``Waiting`` includes
``Deferred`` from 0.20; ``Preemptions`` counts those of the line's own interval and is printed only when there were any
(0.11 and later).

Averages are over the lines that show load (running or waiting requests), because the first and the last line of a
benchmark are mostly idle. With several engines the lines of one round are added.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from .lazy import Lazy
from .reading import Partial

__all__ = ["looks_like_engine_log", "read_engine_log"]

MAX_LINES = 50_000

_LINE = Lazy(
    r"(?:Engine (\d{1,4}): |(\d{1,4}) Engines Aggregated: )?Avg prompt throughput: ([\d.]{1,20}) tokens/s, "
    r"Avg generation throughput: ([\d.]{1,20}) tokens/s, ([^\n]{1,600})"
)
_FIELD = Lazy(r"(?:^|, )([A-Z][A-Za-z ]{2,40}): ([\d.]{1,20})")
_KV = Lazy(r"(?:GPU|CPU|XPU|TPU|HPU|NPU)(?: \+ host)? KV cache usage: ([\d.]{1,10})%")
_WHEN = Lazy(r"(?:(\d{4})-)?(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)")
_SPEC = Lazy(r"(?:SpecDecoding|Speculative) metrics: ([^\n]{1,800})")
_SPEC_FIELD = Lazy(
    r"(Mean acceptance length|Avg Draft acceptance rate|Draft acceptance rate|Accepted|Drafted"
    r"|Number of accepted tokens|Number of draft tokens)(?: tokens)?: ([\d.]{1,20})"
)
_V0_PREEMPTED = Lazy(r"Sequence group \S{1,200} is preempted by .{1,200}?total_num_cumulative_preemption=(\d{1,12})")


@dataclass(slots=True)
class _Line:
    """One periodic line, or one round of lines of several engines."""

    when: float | None
    prompt: float
    generation: float
    running: float = 0.0
    waiting: float | None = None
    deferred: float = 0.0
    preemptions: float = 0.0
    kv: float | None = None
    hit: float | None = None
    v0: bool = False

    @property
    def load(self) -> float:
        return self.running + (self.waiting or 0.0)


@dataclass(slots=True)
class _Log:
    rounds: list[_Line] = field(default_factory=list)
    engines: int = 1


def looks_like_engine_log(text: str) -> bool:
    """True when the text has a periodic line."""
    return "Avg prompt throughput: " in text or "SpecDecoding metrics: " in text or "Speculative metrics: " in text


def read_engine_log(text: str) -> Partial | None:
    """Read the periodic lines of a log; None when there are none."""
    if not looks_like_engine_log(text):
        return None
    log = _rounds(text)
    part = Partial(what="engine log")
    part.engines = log.engines
    if log.rounds:
        _load(log, part)
    _speculation(text, part)
    if totals := [match.group(1) for match in _V0_PREEMPTED.finditer(text)]:
        part.add("preemptions_total", float(totals[-1]), "engine log: total_num_cumulative_preemption", "log")
    return part if part.readings or log.rounds else None


def _rounds(text: str) -> _Log:
    """Lines in order; lines of different engines that belong to one interval are added."""
    log = _Log()
    engines: set[str] = set()
    current: set[str] = set()
    for count, match in enumerate(_LINE.finditer(text)):
        if count >= MAX_LINES:
            break
        engine, aggregated, prompt, generation, rest = match.groups()
        line = _line(_stamp(text, match.start()), prompt, generation, rest)
        if aggregated:
            log.engines = max(log.engines, int(aggregated))
        if engine is not None:
            engines.add(engine)
        near = (
            not log.rounds
            or None in (line.when, log.rounds[-1].when)
            or abs((line.when or 0) - (log.rounds[-1].when or 0)) < 5
        )
        if engine is not None and log.rounds and engine not in current and current and near:
            _join(log.rounds[-1], line)
            current.add(engine)
        else:
            log.rounds.append(line)
            current = {engine} if engine is not None else set()
    log.engines = max(log.engines, len(engines))
    return log


def _line(when: float | None, prompt: str, generation: str, rest: str) -> _Line:
    fields = {name: _float(value) for name, value in _FIELD.pairs(rest)}
    kv = _KV.search(rest)
    line = _Line(when, _float(prompt), _float(generation), running=fields.get("Running", 0.0))
    if "Pending" in fields:
        line.v0 = True
        line.waiting = fields["Pending"] + fields.get("Swapped", 0.0)
    else:
        line.waiting = fields.get("Waiting")
    line.deferred = fields.get("Deferred", 0.0)
    line.preemptions = fields.get("Preemptions", 0.0)
    line.kv = _float(kv.group(1)) / 100 if kv else None
    if "Prefix cache hit rate" in fields:
        line.hit = fields["Prefix cache hit rate"] / 100
    return line


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # "1.2.3"
        return 0.0


def _stamp(text: str, at: int) -> float | None:
    """Seconds within a year; only differences are used."""
    begin = text.rfind("\n", 0, at) + 1
    match = _WHEN.search(text, max(begin, at - 200), at)
    if match is None:
        return None
    _, month, day, hour, minute, second = (int(g) if g else 2000 for g in match.groups())
    try:
        return (datetime(2000, month, day, hour, minute, second) - datetime(2000, 1, 1)).total_seconds()  # noqa: DTZ001
    except ValueError:
        return None


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known)


def _join(round_: _Line, line: _Line) -> None:
    round_.prompt += line.prompt
    round_.generation += line.generation
    round_.running += line.running
    round_.waiting = None if round_.waiting is line.waiting is None else (round_.waiting or 0.0) + (line.waiting or 0.0)
    round_.deferred += line.deferred
    round_.preemptions += line.preemptions
    round_.kv = max((kv for kv in (round_.kv, line.kv) if kv is not None), default=None)
    round_.hit = round_.hit if line.hit is None else line.hit


def _load(log: _Log, part: Partial) -> None:
    busy = [r for r in log.rounds if r.load > 0] or [r for r in log.rounds if r.generation + r.prompt > 0] or log.rounds
    under = "under load" if busy[0].load > 0 else "without load"
    part.what = f"engine log, {len(log.rounds)} periodic line(s), {len(busy)} {under}"
    if log.engines > 1:
        part.what += f", {log.engines} engines"
    of = f"mean of {len(busy)} line(s)" if len(busy) > 1 else "one line"
    for name, values in (
        ("output_tok_s", [r.generation for r in busy]),
        ("prompt_tok_s", [r.prompt for r in busy]),
        ("total_tok_s", [r.generation + r.prompt for r in busy]),
        ("running", [r.running for r in busy]),
        ("waiting", [r.waiting for r in busy]),
        ("kv_usage", [r.kv for r in busy]),
    ):
        known = [v for v in values if v is not None]
        if not known:
            continue
        part.add(name, _mean(known), f"engine log: {_LABELS[name]}, {of}", "log")
        if len(known) > 1 and name in ("running", "waiting", "kv_usage"):
            part.add(f"{name}_max", max(known), f"engine log: {_LABELS[name]}, largest of {len(known)} lines", "log")
    if any(r.deferred for r in busy):
        deferred = _mean(r.deferred for r in busy)
        part.add("waiting_deferred", deferred, f"engine log: Deferred, {of}", "log")
        part.add(
            "waiting_capacity",
            max(_mean(r.waiting or 0.0 for r in busy) - deferred, 0.0),
            f"engine log: Waiting less Deferred, {of}",
            "log",
        )
    if busy[-1].hit is not None:
        part.add("prefix_hit_rate", busy[-1].hit, "engine log: Prefix cache hit rate, last line", "log")
    _preemptions(log, part)


_LABELS = {
    "output_tok_s": "Avg generation throughput",
    "prompt_tok_s": "Avg prompt throughput",
    "total_tok_s": "prompt plus generation throughput",
    "running": "Running",
    "waiting": "Waiting",
    "kv_usage": "KV cache usage",
}


def _preemptions(log: _Log, part: Partial) -> None:
    total = sum(r.preemptions for r in log.rounds)
    if total <= 0:
        return
    part.add("preemptions_total", total, f"engine log: Preemptions, sum of {len(log.rounds)} line(s)", "log")
    period = _period(log.rounds)
    if period:
        source = f"engine log: Preemptions, {total:.0f} in {len(log.rounds)} lines {period:.3g} s apart"
        part.add("preemption_rate", total / (period * len(log.rounds)), source, "log")


def _period(rounds: Sequence[_Line]) -> float | None:
    """Time between two lines; vLLM's is 10 s unless VLLM_LOG_STATS_INTERVAL says otherwise."""
    gaps = [
        b.when - a.when for a, b in pairwise(rounds) if a.when is not None and b.when is not None and b.when > a.when
    ]
    return sorted(gaps)[len(gaps) // 2] if gaps else None


def _speculation(text: str, part: Partial) -> None:
    """Acceptance over all ``SpecDecoding metrics`` lines, weighted by the tokens drafted where they are printed."""
    lines = [
        dict(_SPEC_FIELD.pairs(match.group(1)))
        for _, match in zip(range(MAX_LINES), _SPEC.finditer(text), strict=False)
    ]
    if not lines:
        return
    accepted = sum(_float(row.get("Accepted") or row.get("Number of accepted tokens") or "0") for row in lines)
    drafted = sum(_float(row.get("Drafted") or row.get("Number of draft tokens") or "0") for row in lines)
    of = f"{len(lines)} line(s)"
    if drafted > 0:
        part.add("acceptance_rate", accepted / drafted, f"engine log: accepted / drafted tokens, {of}", "log")
    elif rates := [
        _float(v) for row in lines if (v := row.get("Avg Draft acceptance rate") or row.get("Draft acceptance rate"))
    ]:
        rate = _mean(rates)
        part.add("acceptance_rate", rate / 100 if rate > 1 else rate, f"engine log: draft acceptance rate, {of}", "log")
    if lengths := [_float(row["Mean acceptance length"]) for row in lines if "Mean acceptance length" in row]:
        weights = [_float(row.get("Drafted", "1")) or 1.0 for row in lines if "Mean acceptance length" in row]
        mean = sum(x * w for x, w in zip(lengths, weights, strict=True)) / sum(weights)
        part.add("acceptance_length", mean, f"engine log: Mean acceptance length, {of}", "log")
