"""Tables in plain text: Markdown pipes, box drawing, comma- or tab-separated values."""

import csv
import re
from collections.abc import Iterator

__all__ = ["cell_number", "delimited_rows", "grid_rows"]

MAX_ROWS = 5_000
MAX_LINE = 4_000

_BAR = re.compile(r"[|│┃║]+")
_RULE = re.compile(r"[\s|│┃║┏┓┗┛┣┫┳┻╋┡┩╇╈┢┪├┤┬┴┼┌┐└┘━─═╔╗╚╝╠╣╦╩╬+=:-]*\Z")
_NUMBER = re.compile(r"[-+]?\d[\d,]{0,20}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,3})?")


def grid_rows(text: str) -> Iterator[list[str]]:
    """Rows of every table drawn with bars, cells stripped, rules left out, wrapped first cells joined.

    Runs of bars count as one border, as in headings that span columns (``|| ITL (ms) ||``).
    """
    held: list[str] | None = None
    count = 0
    for line in text.splitlines():
        if len(line) > MAX_LINE or not _BAR.search(line):
            if held is not None:
                yield held
                held = None
            continue
        if _RULE.match(line):
            continue
        cells = [cell.strip() for cell in _BAR.split(line)]
        if cells and not cells[0]:
            cells = cells[1:]
        if cells and not cells[-1]:
            cells = cells[:-1] if len(cells) > 1 else cells
        if held is not None and len(cells) <= len(held) and cells and cells[0] and not any(cells[1:]) and len(held) > 1:
            held[0] = f"{held[0]} {cells[0]}"  # a label wrapped over two lines
            continue
        if held is not None:
            yield held
        count += 1
        if count > MAX_ROWS:
            return
        held = cells
    if held is not None:
        yield held


def delimited_rows(text: str) -> list[list[str]]:
    """Rows of comma- or tab-separated text; empty when the first line is neither."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = "\t" if first.count("\t") >= 1 else ","
    if first.count(separator) < 1 or len(first) > MAX_LINE * 4:
        return []
    try:
        lines = [line for line in text.splitlines()[:MAX_ROWS] if line.strip()]
        return [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator)]
    except csv.Error:
        return []


def cell_number(cell: str) -> float | None:
    """The number a cell holds, thousands separators and a unit behind it allowed; None when it holds none."""
    match = _NUMBER.match(cell.strip().lstrip("~≈<>$ "))
    if match is None:
        return None
    try:
        return float(match.group().replace(",", ""))
    except ValueError:
        return None
