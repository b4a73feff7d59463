"""Prometheus and OpenMetrics exposition text, read into scrapes. Knows the format and nothing of vLLM.

One pass, one small regular expression per labelled line that is asked for: a 200 KB scrape takes a few milliseconds.
A text may hold several scrapes one after the other (a ``watch`` loop, two ``curl`` calls pasted together): a new one
starts where the first series of the running one comes again.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from .reading import excerpt

__all__ = ["Scrape", "Series", "looks_like_exposition", "read_exposition"]

MAX_LABELS = 20_000
"""Longest label part that is read, characters; vLLM's longest (cache_config_info) is under 3,000."""

_SAMPLE = re.compile(
    r"[a-zA-Z_:][a-zA-Z0-9_:.]{0,255}(?:\{[^\n]{0,20000}\})?[ \t]+[-+]?(?:[0-9.]|NaN|Inf)", re.IGNORECASE
)
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"')
_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:.]*\Z")
_ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}
_ESCAPE = re.compile(r'\\[\\"n]')
_ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?")
_SECONDS = re.compile(
    r"(?:#\s*|#?\s*t(?:ime(?:stamp)?)?\s*[:=]\s*)(\d{1,13}(?:\.\d+)?)\s*(?:s|sec|seconds)?\Z", re.IGNORECASE
)
_EPOCH = re.compile(r"(\d{10}(?:\.\d+)?|\d{13})\Z")


@dataclass(frozen=True, slots=True)
class Series:
    """One sample: its labels and value."""

    labels: dict[str, str]
    value: float


@dataclass(slots=True)
class Scrape:
    """One scrape of one target. `time` is in seconds on whatever clock the text carries, None when it carries none."""

    samples: dict[str, dict[str, float]] = field(default_factory=dict)
    """Metric name to raw label text to value; a repeated series keeps its last value."""
    time: float | None = None
    malformed: int = 0
    first_malformed: str = ""

    def series(self, name: str) -> list[Series]:
        """Every series of a metric, labels parsed."""
        return [Series(labels_of(raw), value) for raw, value in self.samples.get(name, {}).items()]

    def __len__(self) -> int:
        return sum(len(series) for series in self.samples.values())


def labels_of(raw: str) -> dict[str, str]:
    """Parse the text between the braces."""
    found = dict(_LABEL.findall(raw))
    if "\\" in raw:
        return {k: _ESCAPE.sub(lambda m: _ESCAPES[m.group()], v) for k, v in found.items()}
    return found


def looks_like_exposition(text: str) -> bool:
    """True when among the first lines there is a sample of a metric with labels, a ``vllm`` metric, or a ``# TYPE``."""
    if "vllm:" not in text and "# TYPE " not in text and "} " not in text and "_total" not in text:
        return False
    for line in _head(text):
        bare = line.strip()
        if bare.startswith("# TYPE "):
            return True
        at = bare.find("vllm:")
        if at > 0 and bare[at - 1] not in "{(\"'`":
            bare = bare[at:]
        if _SAMPLE.match(bare) and ("{" in bare or bare.startswith(("vllm:", "vllm_", "DCGM_"))):
            return True
    return False


def _head(text: str, lines: int = 4000) -> Iterator[str]:
    return (m.group() for _, m in zip(range(lines), re.finditer(r"[^\r\n]+", text), strict=False))


def read_exposition(text: str) -> tuple[tuple[Scrape, ...], list[str]]:
    """Read every scrape in `text`, and return the lines that are no exposition lines beside them.

    Malformed lines are counted in the scrape they stand in, never fatal.
    """
    scrapes: list[Scrape] = []
    scrape = Scrape()
    samples = scrape.samples
    first: tuple[str, str] | None = None
    clock: float | None = None
    rest: list[str] = []
    for line in text.split("\n"):
        bare = line.strip()
        if not bare:
            continue
        head = bare[0]
        if head == "#":
            if not bare.startswith(("# HELP", "# TYPE", "# UNIT", "# EOF")) and (at := _clock(bare)) is not None:
                clock = at
            continue
        sample = _sample(bare)
        if sample is None:
            at = _clock(bare)
            if at is not None:
                clock = at
            elif "vllm:" in bare and ("{" in bare or " " not in bare):
                scrape.malformed += 1
                scrape.first_malformed = scrape.first_malformed or excerpt(bare)
            elif not bare.startswith("```"):
                rest.append(line)
            continue
        name, raw, value, stamp = sample
        if first is None:
            first, scrape.time = (name, raw), clock
        elif (name, raw) == first:
            scrapes.append(scrape)
            scrape = Scrape(time=clock)
            samples = scrape.samples
        if stamp is not None:
            scrape.time = stamp
        series = samples.get(name)
        if series is None:
            samples[name] = {raw: value}
        else:
            series[raw] = value
    if samples or scrape.malformed:
        scrapes.append(scrape)
    return _aged(scrapes), rest


def _aged(scrapes: list[Scrape]) -> tuple[Scrape, ...]:
    """One clock line above several scrapes dates the first only."""
    last: float | None = None
    for scrape in scrapes:
        if scrape.time is not None and scrape.time == last:
            scrape.time = None
        else:
            last = scrape.time
    return tuple(scrapes)


def _sample(line: str) -> tuple[str, str, float, float | None] | None:
    """`line` as (name, label text, value, timestamp in seconds), or None when it is no sample."""
    brace = line.find("{")
    if brace > 0:
        name = line[:brace]
        if " # {" in line:
            line = line[: line.rindex(" # {")]  # an OpenMetrics exemplar
        close = line.rfind("}")
        raw = line[brace + 1 : close]
        if close < brace or len(raw) > MAX_LABELS:
            return None
        parts = line[close + 1 :].split()
    else:
        parts = line.split()
        if len(parts) < 2:
            return None
        name, raw, parts = parts[0], "", parts[1:]
        if name[-1] == ":" or not ("_" in name or ":" in name):
            return None  # prose: "concurrency: 64"
    if not parts or len(parts) > 2:
        return None
    try:
        value = float(parts[0])
        stamp = float(parts[1]) if len(parts) == 2 else None
    except ValueError:
        return None
    if (at := name.find("vllm:")) > 0:
        name = name[at:]  # a log or grep prefix
    if not _NAME.match(name := name.rstrip()):
        return None
    if stamp is not None and stamp > 1e11:
        stamp /= 1000  # Prometheus text stamps are milliseconds, OpenMetrics seconds
    return name, raw, value, stamp


def _clock(line: str) -> float | None:
    """Seconds, when the line says when the scrape was taken: an epoch, ISO 8601, ``date``'s or HTTP's form."""
    if len(line) > 120 or not any(c.isdigit() for c in line):
        return None
    if match := _SECONDS.match(line) or _EPOCH.match(line):
        value = float(match.group(1))
        return value / 1000 if value > 1e11 else value
    if match := _ISO.search(line):
        try:
            when = datetime.fromisoformat(match.group())
        except ValueError:
            return None
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    if line.lower().startswith("date:"):
        from email.utils import parsedate_to_datetime  # noqa: PLC0415 - pulls in the email package

        try:
            return parsedate_to_datetime(line[5:].strip()).timestamp()
        except (TypeError, ValueError):
            return None
    return None
