"""Everything that was pasted, joined into one :class:`~vllm_triage.domain.Observation`.

Each text is recognised for what it is and may be several things at once: a log with the launch, the pool and the
engine's periodic lines, then two scrapes, then a sentence. Where several sources tell the same value one is taken and
none are averaged:

===================  ========================================================================================
latencies, rates,    given > client (load generator) > statement > interval (two scrapes) > query > log >
lengths, acceptance  derived > lifetime (one scrape)
what only the        given > gauge > interval > query > log > client > statement > derived > lifetime
server sees
===================  ========================================================================================

Among several texts of one kind the latest (by the date it carries) and then the heaviest is read. What disagrees beyond
what two ways of measuring explain is listed in `conflicts` (``readers.contradictions``). The order of the texts and
repeats of a text change nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from ..domain import Ignored, Json, Measured, Observation, PoolReading
from .bench import is_sweep, load, read_bench_json, read_bench_text
from .contradictions import contradictions, pool_conflicts
from .documents import log_text, prose_of, split_json
from .engine_log import looks_like_engine_log, read_engine_log
from .evidence_fields import MEASURED
from .exposition import Scrape, looks_like_exposition, read_exposition
from .failure_in_words import SOURCE as WORDS
from .metrics import read_metrics
from .named_values import SOURCE as NAMED
from .named_values import read_named
from .prometheus_api import read_prometheus_json
from .prose import read_prose
from .reading import Kind, Partial, Reading, excerpt, number, plain
from .secrets import redact
from .startup_log import looks_like_startup_log, read_startup
from .utilisation import gpu_utilisation, ignored

__all__ = ["MEASURED", "read_evidence"]

T = TypeVar("T")

MAX_TEXTS = 64
MAX_CHARACTERS = 16 * 2**20
MAX_UNREAD = 60

CLIENT_FIRST: tuple[Kind, ...] = (
    "given", "client", "statement", "interval", "query", "log", "gauge", "derived", "lifetime",
)  # fmt: skip
SERVER_FIRST: tuple[Kind, ...] = (
    "given", "gauge", "interval", "query", "log", "client", "statement", "derived", "lifetime",
)  # fmt: skip
SERVER_SIDE = frozenset({
    "running", "waiting", "waiting_capacity", "waiting_deferred", "kv_usage", "running_max", "waiting_max",
    "kv_usage_max", "queue_ms_mean", "queue_ms_p99", "prefill_ms_mean", "decode_ms_mean", "preemptions_total",
    "preemption_rate", "recomputed_tok_s", "prefix_hit_rate", "tokens_per_step", "engine_imbalance",
})  # fmt: skip
"""Fields that only the server sees."""


def read_evidence(texts: Sequence[str], given: Mapping[str, float] | None = None) -> Observation:
    """Read every pasted text and the values given as arguments.

    `texts` may hold anything in any order: scrapes, logs, benchmark results, API replies, sentences. `given` has the
    contract's metric names (``ttft_ms_mean``, ``output_tok_s``, ...); a given value outranks every other. Never raises
    on what is pasted: what cannot be read is listed in ``unread``.
    """
    box = _Box()
    seen: dict[str, int] = {}
    for index, text in enumerate(texts[:MAX_TEXTS], start=1):
        if not isinstance(text, str):
            box.sources.append("not text")
            box.unread.append(f"text {index}: not text but {type(text).__name__}")
            continue
        key = text.strip()
        if key in seen:
            box.sources.append(f"the same as text {seen[key]}")
            continue
        seen[key] = index
        box.read(key, index)
    if len(texts) > MAX_TEXTS:
        box.unread.insert(0, f"{len(texts) - MAX_TEXTS} more text(s) beyond the first {MAX_TEXTS}")
    return box.joined(given or {})


class _Box:
    """What the texts yielded so far."""

    def __init__(self) -> None:
        self.parts: list[Partial] = []
        self.scrapes: list[Scrape] = []
        self.sources: list[str] = []
        self.unread: list[str] = []
        self.ignored: list[Ignored] = []

    def read(self, text: str, index: int) -> None:
        """Recognise and read one text."""
        if len(text) > MAX_CHARACTERS:
            self.unread.append(
                f"text {index}: only the first {MAX_CHARACTERS // 2**20} MiB of {len(text) / 2**20:.1f} were read"
            )
            text = text[:MAX_CHARACTERS]
        if not text:
            self.sources.append("empty")
            return
        text = plain(text)
        before = len(self.unread)
        documents, rest, broken = split_json(text.lstrip("\ufeff"))
        what = self._documents(documents)
        if (log := log_text(documents)) is not None and not what:
            rest = f"{log}\n{rest}"
        elif documents and not any("bench" in said or "result" in said for said in what):
            rest = f"{prose_of(documents)}\n{rest}"
        what += self._text(rest)
        if not what:
            self.unread += [f"text {index}: {problem}" for problem in broken]
            if len(self.unread) == before and not self._utilisation(rest):
                self.unread.append(excerpt(f"text {index}: not recognised: {text}"))
        self.sources.append("; ".join(what) or "not recognised")

    def _keep(self, part: Partial | None) -> list[str]:
        if part is None:
            return []
        self.parts.append(part)
        return [part.what]

    def _documents(self, documents: list[Json]) -> list[str]:
        what: list[str] = []
        benches = []
        for document in documents:
            reply = read_prometheus_json(document)
            if reply is None:
                benches.append(document)
            else:
                what += self._keep(reply[0])
                self.scrapes += reply[1]
        if benches:
            found = self._keep(read_bench_json(benches[0] if len(benches) == 1 else benches))
            what += found or [said for document in benches for said in self._keep(read_named(document))]
        return what

    def _text(self, text: str) -> list[str]:
        what: list[str] = []
        if looks_like_exposition(text):
            scrapes, lines = read_exposition(text)
            self.scrapes += scrapes
            if scrapes:
                what.append("/metrics scrape" if len(scrapes) == 1 else f"{len(scrapes)} /metrics scrapes")
            text = "\n".join(lines)
        if looks_like_startup_log(text):
            what += self._keep(read_startup(text))
        if looks_like_engine_log(text):
            what += self._keep(read_engine_log(text))
        what += self._keep(read_bench_text(text))
        self._utilisation(text)
        if is_sweep(text):
            return what  # its columns are names of JSON keys, not words
        what += self._keep(read_prose(text, MEASURED, around=bool(what) and not all("scrape" in w for w in what)))
        return what

    def _utilisation(self, text: str) -> bool:
        signal = gpu_utilisation(text[:200_000]) if "util" in text[:200_000].lower() else None
        if signal is not None:
            self.ignored.append(ignored(signal))
        return signal is not None

    def joined(self, given: Mapping[str, float]) -> Observation:
        interval = next((s for part in self.parts if (s := part.interval_s) is not None), None)
        server = read_metrics(self.scrapes, interval)
        parts = [_given(given), *_one_of_each(self.parts, self.unread), *([server] if server else [])]
        readings = _chosen([r for part in parts for r in part.readings])
        conflicts = [c for part in parts for c in part.conflicts]
        conflicts += contradictions({n: ranked[0] for n, ranked in readings.items()}, readings)
        pools = [part.pool for part in parts if part.pool is not None]
        conflicts += pool_conflicts(pools)
        logs = sorted((p for p in parts if p.what.startswith("startup log")), key=lambda p: p.what)
        settings: dict[str, Json] = {}
        for part in [*([server] if server else []), *logs]:
            settings |= part.settings
        launch = next((p.launch for p in logs if p.launch), None)
        return Observation(
            **{name: Measured(value=ranked[0].value, source=ranked[0].source) for name, ranked in readings.items()},
            engines=max((part.engines for part in parts), default=1),
            pool=_pool(pools),
            model_name=_first(p.model_name for p in [*logs, *([server] if server else []), *parts]),
            vllm_version=_first(p.vllm_version for p in [*logs, *parts]),
            device=_first(p.device for p in parts),
            launch=None if launch is None else redact(launch)[0],
            settings=settings,
            ignored=_unique([i for part in parts for i in part.ignored] + self.ignored),
            conflicts=_unique(conflicts),
            unread=_listed([u for part in parts for u in part.unread] + self.unread),
            sources=tuple(self.sources),
        )


def _first(values: Iterable[str | None]) -> str | None:
    return next((excerpt(value) for value in values if value), None)


def _given(given: Mapping[str, float]) -> Partial:
    part = Partial(what="given")
    for name, value in given.items():
        if value is None:
            continue
        if name not in MEASURED:
            part.unread.append(excerpt(f"given: {name} is no metric"))
        elif number(value) is None:
            part.unread.append(excerpt(f"given: {name} = {value!r} is not a measurement"))
        elif name in ("kv_usage", "kv_usage_max", "prefix_hit_rate", "acceptance_rate") and value > 1:
            part.add(name, value, "given, read as percent", "given", 0.01)
        else:
            part.add(name, value, "given", "given")
    return part


def _one_of_each(parts: list[Partial], unread: list[str]) -> list[Partial]:
    """Of several client results (or startup logs, or engine logs) the latest and heaviest, whole: no mixing of
    two runs.
    """
    groups: dict[str, list[Partial]] = {}
    for part in parts:
        kind = (
            part.readings[0].kind
            if part.readings
            else "startup log"
            if part.what.startswith("startup log")
            else part.what
        )
        groups.setdefault("statement" if kind == "statement" else kind, []).append(part)
    kept: list[Partial] = []
    for kind, group in sorted(groups.items()):
        if kind in ("statement", "query") or len(group) == 1:
            kept += sorted(group, key=_content)
            continue
        best = max(group, key=lambda p: (p.order, load(p), _content(p)))
        kept.append(best)
        others = [p for p in sorted(group, key=_content) if p is not best and not _same_run(p, best)]
        unread += [
            excerpt(f"another {p.what} was pasted; read was the latest or heaviest, {best.what}") for p in others
        ]
    return kept


def _same_run(a: Partial, b: Partial) -> bool:
    """True for one run in two forms, such as the JSON file and the printed report: what both say agrees when
    rounded.
    """
    pairs = [(x.value, y) for x in a.readings if (y := b.get(x.name)) is not None]
    return bool(pairs) and all(abs(x - y) <= 0.011 + 5e-3 * abs(y) for x, y in pairs)


def _content(part: Partial) -> str:
    return repr((part.what, [(r.name, r.value) for r in part.readings], part.pool))


def _chosen(readings: list[Reading]) -> dict[str, list[Reading]]:
    """Per field the readings, best first. Ties go to the larger value, so that the order of pasting does not matter."""
    by_name: dict[str, list[Reading]] = {}
    for reading in readings:
        by_name.setdefault(reading.name, []).append(reading)
    for name, found in by_name.items():
        order = SERVER_FIRST if name in SERVER_SIDE else CLIENT_FIRST
        found.sort(key=lambda r: (order.index(r.kind), -r.value, r.source))
    return {name: found for name, found in by_name.items() if name in MEASURED}


def _pool(pools: list[PoolReading]) -> PoolReading | None:
    """The log's pool, with what it does not say filled in from ``cache_config_info``."""
    if not pools:
        return None
    first, *others = sorted(
        pools, key=lambda p: (not p.source.startswith("startup"), p.source.startswith((WORDS, NAMED)), p.source)
    )
    if not first.source.startswith(WORDS) and not first.error and not first.error_kind:
        # a log that shows a start outranks a retelling of one
        others = [p for p in others if not p.source.startswith(WORDS) or p.error_kind == "oom_serving"]
    for other in others:
        missing = {
            n: v for n in PoolReading.model_fields if getattr(first, n) is None and (v := getattr(other, n)) is not None
        }
        first = first.but(**missing) if missing else first
    return first


def _unique(items: list[T]) -> tuple[T, ...]:
    out: list[T] = []
    for item in items:
        if item not in out:
            out.append(item)
    return tuple(out)


def _listed(unread: list[str]) -> tuple[str, ...]:
    lines = _unique([redact(excerpt(line))[0] for line in unread])
    return lines if len(lines) <= MAX_UNREAD else (*lines[:MAX_UNREAD], f"and {len(lines) - MAX_UNREAD} more")
