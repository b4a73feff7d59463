"""Recorded traffic: one request a line, as JSON or comma-separated, with when it came and how long it was.

Mooncake's traces (timestamps in ms, blocks of 512 tokens by hash id), those of Qwen and Alibaba in the same form,
BurstGPT's (``Timestamp, Model, Request tokens, Response tokens``, seconds) and Azure's (``TIMESTAMP, ContextTokens,
GeneratedTokens``, dates) are what such files look like; vLLM replays the first kind as its data set ``timed_trace``
(0.33.0 benchmarks/datasets/datasets.py TimedTrace).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from statistics import fmean
from typing import Any

from ...domain import Lengths, TraceRow, Workload
from .bad import BadWorkload, checked, positive

__all__ = ["MOST_ROWS", "is_row", "read_rows", "read_table"]

MOST_ROWS = 100_000
"""Requests read of one trace."""

_MOST_BLOCKS = 4096
_LONGEST = 10_000_000

TIMES = (
    "timestamp", "timestamp_ms", "timestamp_s", "arrival_time", "arrival_timestamp", "arrived_at", "arrival", "at_s", "time",
    "start_time", "created_time", "arrival_time_ms", "arrival_ms", "arrival_s", "ts",
)  # fmt: skip
INPUTS = (
    "input_length", "input_tokens", "request tokens", "contexttokens", "prompt_tokens", "input_len", "prompt_len",
    "num_prefill_tokens", "prompt_length", "input", "isl", "request_tokens", "context_tokens", "prefill_tokens",
)  # fmt: skip
OUTPUTS = (
    "output_length", "output_tokens", "response tokens", "generatedtokens", "completion_tokens", "output_len",
    "num_decode_tokens", "generated_tokens", "output", "osl", "response_tokens", "decode_tokens",
)  # fmt: skip
BLOCKS = ("hash_ids", "block_hashes", "blocks")

_FAR_APART_MS = 20.0
"""Requests of a trace without a unit that would come so many seconds apart on average come ms apart."""


def is_row(row: object) -> bool:
    """Whether an object is a request of a trace: it says both lengths."""
    if not isinstance(row, Mapping):
        return False
    names = {str(key).strip().lower() for key in row}
    return not names.isdisjoint(INPUTS) and not names.isdisjoint(OUTPUTS)


def read_table(rows: Sequence[Sequence[str]]) -> Workload:
    """A trace of comma-separated rows, the names of the columns first."""
    header = [cell.strip().lower() for cell in rows[0]]
    return read_rows((dict(zip(header, row, strict=False)) for row in rows[1:]), "a CSV trace")


def read_rows(rows: Iterable[Mapping[str, Any]], source: str = "a trace") -> Workload:
    """A trace of objects. Without times it is a crowd of requests of those lengths, sent at once.

    Raises:
        BadWorkload: no row has a length of both kinds.
    """
    kept: list[tuple[float | None, int, int, tuple[int, ...]]] = []
    names: dict[str, str] = {}
    dropped = more = 0
    for row in rows:
        if len(kept) >= MOST_ROWS:
            more += 1
            continue
        low = {str(key).strip().lower(): value for key, value in row.items()}
        names = names or _names(low)
        prompt, output = (positive(low.get(names.get(kind, ""))) for kind in ("input", "output"))
        if prompt is None or output is None or prompt < 1 or output < 1 or max(prompt, output) > _LONGEST:
            dropped += 1
            continue
        kept.append(
            (_time(low.get(names.get("time", ""))), int(prompt), int(output), _blocks(low.get(names.get("blocks", ""))))
        )
    if not kept:
        raise BadWorkload("no row of the trace has an input and an output length")
    notes = [f"rows without both lengths, left out: {dropped:,}"] if dropped else []
    if more:
        notes.append(f"the first {MOST_ROWS:,} requests were read, {more:,} were not")
    if any(row[0] is None for row in kept):
        return _without_times(kept, notes, source)
    # BurstGPT's are in seconds, and days long
    column = "timestamp_s" if names["input"] == "request tokens" else names["time"]
    return _timed(kept, column, notes, source)


def _names(row: Mapping[str, Any]) -> dict[str, str]:
    """Which column is what."""
    kinds = (("time", TIMES), ("input", INPUTS), ("output", OUTPUTS), ("blocks", BLOCKS))
    return {kind: name for kind, known in kinds for name in known if name in row and not _taken(kind, name, row)}


def _taken(kind: str, name: str, row: Mapping[str, Any]) -> bool:
    """Whether an earlier spelling of the same column is there, too."""
    known = {"time": TIMES, "input": INPUTS, "output": OUTPUTS, "blocks": BLOCKS}[kind]
    return any(other in row for other in known[: known.index(name)])


def _time(value: object) -> float | None:
    """A time in its own unit; a date in seconds."""
    if isinstance(value, str):
        text = value.strip()
        if len(text) > 40:
            return None
        if text[:1].isdigit() and ("-" in text[1:] or ":" in text) and "e" not in text.lower():
            try:
                return datetime.fromisoformat(_microseconds(text)).timestamp()
            except (ValueError, OverflowError, OSError):
                return None
        value = text
    if value in (0, 0.0, "0", "0.0") and not isinstance(value, bool):
        return 0.0
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if 0 < value < 1e19 else None  # epochs in ns are below that
    try:
        number = float(value) if isinstance(value, str) else -1.0
    except ValueError:
        return None
    return number if 0 <= number < 1e19 else None


def _microseconds(text: str) -> str:
    """A date with no more than six digits of a second, as Azure's have seven."""
    whole, dot, rest = text.partition(".")
    digits = len(rest) - len(rest.lstrip("0123456789"))
    return f"{whole}.{rest[: min(6, digits)]}{rest[digits:]}" if dot and digits else text


def _blocks(value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        return ()
    ids = value[:_MOST_BLOCKS]
    return (
        tuple(ids)
        if all(isinstance(one, int) and not isinstance(one, bool) and -(2**62) < one < 2**62 for one in ids)
        else ()
    )


def _without_times(
    kept: Sequence[tuple[float | None, int, int, tuple[int, ...]]], notes: list[str], source: str
) -> Workload:
    notes.append("the requests carry no time of arrival: all are sent at once")
    inputs, outputs = [row[1] for row in kept], [row[2] for row in kept]
    return checked(
        {
            "arrivals": "at_once", "requests": len(kept), "source": source,
            "input": Lengths(mean=fmean(inputs), shape="empirical", values=tuple(inputs)),
            "output": Lengths(mean=fmean(outputs), shape="empirical", values=tuple(outputs)),
        },
        notes,
    )  # fmt: skip


def _timed(
    kept: Sequence[tuple[float | None, int, int, tuple[int, ...]]], column: str, notes: list[str], source: str
) -> Workload:
    times = [row[0] or 0.0 for row in kept]
    start, end = min(times), max(times)
    scale = _seconds_per_unit(column, (end - start) / max(1, len(times) - 1), start, blocks=any(row[3] for row in kept))
    if scale != 1:
        notes.append(f"times are taken to be in {'ms' if scale == 1e-3 else 'µs' if scale == 1e-6 else 'ns'}")
    rows = sorted(
        (TraceRow(scale * (at - start), row[1], row[2], row[3]) for at, row in zip(times, kept, strict=True)),
        key=lambda row: row.at_s,
    )
    size = _block_tokens(kept)
    return checked(
        {
            "arrivals": "trace", "trace": tuple(rows), "source": source, "trace_block_tokens": size,
            "input": Lengths(mean=fmean(row.input_tokens for row in rows)),
            "output": Lengths(mean=fmean(row.output_tokens for row in rows)),
        },
        notes,
    )  # fmt: skip


def _seconds_per_unit(column: str, gap: float, start: float, *, blocks: bool) -> float:
    """What one unit of the times is: the column says it, or an epoch's size, or how far apart the requests are."""
    if column.endswith("_ms"):
        return 1e-3
    if column.endswith("_s"):
        return 1.0
    for unit, least in ((1e-9, 1e17), (1e-6, 1e14), (1e-3, 1e11)):
        if start > least:
            return unit
    # Mooncake's are in ms, as are those of its form; nobody records a request every 20 s
    return 1e-3 if (blocks and gap > 1) or gap > _FAR_APART_MS else 1.0


def _block_tokens(kept: Sequence[tuple[float | None, int, int, tuple[int, ...]]]) -> int:
    """Tokens of a block: the smallest power of two with which no prompt has more tokens than its blocks."""
    needed = max((prompt / len(blocks) for _, prompt, _, blocks in kept if blocks), default=0.0)
    size = 16
    while size < needed:
        size *= 2
    return size if needed else 512
