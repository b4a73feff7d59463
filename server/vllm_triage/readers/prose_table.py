"""Small tables a person pastes: Markdown, box drawing, CSV; metrics as columns, or as rows.

Of several loads the heaviest row is read: the one with the highest concurrency, else the last.
"""

from collections.abc import Sequence

from .prose_words import CLASS, Word, statistic_field, words_of
from .reading import Partial, excerpt
from .tables import cell_number, delimited_rows, grid_rows

__all__ = ["column_of", "read_table"]

MAX_COLUMNS = 60


def read_table(text: str) -> Partial | None:
    """Read the first table with at least two metric columns, or two metric rows; None when there is none."""
    rows = list(grid_rows(text)) if "|" in text or "│" in text or "┃" in text else delimited_rows(text)
    rows = [row for row in rows if 2 <= len(row) <= MAX_COLUMNS]
    for index, row in enumerate(rows):
        if any(word.kind == "number" for cell in row for word in words_of(cell.replace("_", " "))):
            continue  # no heading: a row of values, or a sentence with commas
        columns = [column_of(cell) for cell in row]
        if sum(column is not None for column in columns) >= 2:
            body = rows[index + 1 :]
            return _bycolumn_of(columns, [r for r in body if len(r) == len(row)])
    return _by_row(rows)


def column_of(cell: str) -> tuple[str, float, str] | None:
    """(field, factor to its unit, class) of a heading cell; None when it names no metric or its unit is unknown."""
    words = words_of(cell.replace("_", " "))
    metric = next((w for w in words if w.kind == "metric" and w.name not in ("", "gpu_util")), None)
    if metric is None:
        return None
    unit = next((w for w in words if w.kind == "unit"), None) or _plain_unit(cell)
    statistic = next((w.name for w in words if w.kind == "statistic"), None)
    name = metric.name
    kind = CLASS[name]
    if name == "throughput":
        name = "request_rate" if unit is not None and unit.name == "requests/s" else "output_tok_s"
    field = statistic_field(name, statistic)
    if field is None:
        return None
    if unit is not None and unit.name not in (kind, "count") and name != "request_rate":
        return None
    scale = unit.value if unit is not None else 0.0 if kind == "time" else 1.0
    return field, scale, kind


def _plain_unit(cell: str) -> Word | None:
    """A unit without brackets at the end of a heading: ``mean_ttft_ms``, ``TTFT ms``, ``TTFT [s]``."""
    tail = cell.replace("_", " ").strip().rsplit(" ", 1)[-1].strip("()[]")
    found = [w for w in words_of(f"({tail})") if w.kind == "unit"]
    return found[0] if found else None


def _bycolumn_of(columns: Sequence[tuple[str, float, str] | None], body: list[list[str]]) -> Partial | None:
    parts = []
    for row in body:
        part = Partial(what="table")
        for column, cell in zip(columns, row, strict=True):
            if column is None:
                continue
            field, scale, kind = column
            value = _value(cell, scale, kind)
            if value is not None and part.get(field) is None:
                part.add(field, value, f'table: "{excerpt(" | ".join(row), 60)}"', "statement")
        if part.readings:
            parts.append(part)
    if not parts:
        return None
    best = max(enumerate(parts), key=lambda p: (p[1].get("concurrency") or p[1].get("request_rate") or 0.0, p[0]))[1]
    best.what = f"table with {len(parts)} row(s)"
    if len(parts) > 1:
        at = best.get("concurrency")
        where = "the last row" if at is None else f"the row at concurrency {at:.6g}"
        best.unread.append(f"table: {len(parts)} rows; read was {where}")
    return best


def _value(cell: str, scale: float, kind: str) -> float | None:
    """A cell in its field's unit; a unit written in the cell outranks the heading's."""
    number = next((w for w in words_of(cell) if w.kind == "number"), None)
    if number is not None and number.name == kind:
        return number.value
    value = cell_number(cell)
    if value is None or scale == 0.0:
        return None
    if kind == "share" and scale == 1.0 and value > 1:
        return value / 100 if value <= 100 else None
    return value * scale


def _by_row(rows: list[list[str]]) -> Partial | None:
    """``| TTFT p99 | 9 s |``: a metric and its value in each row; or its mean, median and percentiles in columns."""
    part = Partial(what="table")
    statistics: list[str | None] = []
    for row in rows:
        told = [next((w.name for w in words_of(cell) if w.kind == "statistic"), None) for cell in row]
        if any(told[1:]) and not any(w.kind == "number" for cell in row for w in words_of(cell)):
            statistics = told
            continue
        column = column_of(row[0])
        if column is None:
            continue
        if column[2] == "time" and any(statistics):
            found = [(column_of(f"{row[0]} {s}"), cell) for s, cell in zip(statistics, row, strict=False) if s]
        else:
            found = [(column, cell) for cell in row[1:]]
        for one, cell in found:
            if one is None or (value := _value(cell, one[1], one[2])) is None or part.get(one[0]) is not None:
                continue
            part.add(one[0], value, f'table: "{excerpt(" | ".join(row), 60)}"', "statement")
    if len(part.readings) < 2:
        return None
    part.what = f"table with {len(part.readings)} value(s)"
    return part
