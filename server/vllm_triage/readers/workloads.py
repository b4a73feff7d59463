"""Traffic, in whatever form it is at hand: see :data:`.workload.bad.ACCEPTED`.

Nothing is executed and no file is opened; what is given and not used is in the workload's `notes`.
"""

import csv
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ..domain import Json, Workload
from .reading import excerpt
from .workload.bad import BadWorkload, checked
from .workload.bench_command import is_bench_command, read_bench_command
from .workload.bench_result import is_bench_result, read_bench_result
from .workload.in_words import read_words
from .workload.sharegpt import is_conversation, read_conversations
from .workload.trace import INPUTS, MOST_ROWS, OUTPUTS, is_row, read_rows, read_table

__all__ = ["LARGEST", "BadWorkload", "read_workload"]

LARGEST = 64 * 2**20
"""Characters read at most."""


def read_workload(given: str | Mapping[str, Any] | list[Any]) -> Workload:
    """The traffic that a text, or an object of JSON, describes.

    Raises:
        BadWorkload: none can be made of it; says what is accepted.
    """
    if not isinstance(given, str):
        return _of_json(given)
    text = given.lstrip("\ufeff").strip()
    if not text:
        raise BadWorkload("an empty text describes no traffic")
    if len(text) > LARGEST:
        raise BadWorkload(f"{len(text):,} characters are more than the {LARGEST:,} that are read")
    if text[0] in "{[":
        return _of_json_text(text)
    if is_bench_command(text) or text.startswith("--"):
        return read_bench_command(text)
    header = text[:4000].partition("\n")[0]
    if "," in header or "\t" in header or ";" in header:
        columns = _cells(header)
        if not columns.isdisjoint(INPUTS) and not columns.isdisjoint(OUTPUTS):
            return _of_csv(text, header)
    return read_words(text)


def _cells(header: str) -> set[str]:
    return {cell.strip().strip('"').lower() for separator in ",;\t" for cell in header.split(separator)}


def _of_csv(text: str, header: str) -> Workload:
    separator = max(",;\t", key=header.count)
    lines = islice(text.splitlines(), MOST_ROWS + 1)
    try:
        rows = [row for row in csv.reader(lines, delimiter=separator) if row]
    except csv.Error as error:
        raise BadWorkload(f"the table cannot be read: {error}") from None
    read = read_table(rows)
    unread = text.count("\n") - MOST_ROWS
    if unread <= 0:
        return read
    return read.but(notes=(*read.notes, f"the first {MOST_ROWS:,} requests were read, {unread:,} were not"))


def _of_json_text(text: str) -> Workload:
    try:
        return _of_json(json.loads(text))
    except (ValueError, RecursionError) as error:
        if isinstance(error, BadWorkload):
            raise
        whole = excerpt(str(error), 120)
    lines = list(_json_lines(text))
    if not lines:
        raise BadWorkload(f"this is neither JSON ({whole}) nor JSON lines") from None
    read = _of_json(lines)
    lost = sum(1 for line in text.splitlines() if line.strip()) - len(lines)
    return (
        read if not lost else read.but(notes=(*read.notes, f"{lost:,} lines that are not JSON objects were left out"))
    )


def _json_lines(text: str) -> Iterator[Mapping[str, Any]]:
    for line in text.splitlines():
        try:
            row = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        if isinstance(row, Mapping):
            yield row


def _of_json(document: Any) -> Workload:
    if isinstance(document, list):
        return _of_list(document)
    if not isinstance(document, Mapping):
        raise BadWorkload("this JSON is neither an object nor a list of them")
    if is_bench_result(document):
        return read_bench_result(document)
    if is_conversation(document):
        return read_conversations([document])
    if isinstance(inner := document.get("workload"), str | Mapping):
        return read_workload(inner)
    if is_row(document) and "arrivals" not in document and not _ours(document):
        return read_rows([document])
    return _of_fields(document)


def _of_list(rows: list[Any]) -> Workload:
    first = next((row for row in rows if isinstance(row, Mapping)), None)
    if first is None:
        raise BadWorkload("this list holds no objects")
    objects = [row for row in rows if isinstance(row, Mapping)]
    if is_conversation(first):
        return read_conversations(rows)
    if is_bench_result(first):
        return read_bench_result(objects[-1])
    if any(map(is_row, objects[:100])):
        return read_rows(objects)
    raise BadWorkload(excerpt(f"rows with {', '.join(map(str, list(first)[:8]))} have no input and output length"))


def _ours(document: Mapping[str, Any]) -> bool:
    """Whether an object speaks of traffic, not of one request."""
    return not document.keys().isdisjoint(("concurrency", "request_rate", "requests"))


def _of_fields(document: Mapping[str, Any]) -> Workload:
    """An object of the noun's own fields, where a number stands for a length and the way of arrival may be left out."""
    fields: dict[str, Json] = {str(key): value for key, value in document.items()}
    unknown = sorted(fields.keys() - Workload.model_fields.keys() - _LENGTHS.keys())
    if unknown:
        raise BadWorkload(excerpt(f"unknown: {', '.join(unknown[:6])}"))
    for name, field in _LENGTHS.items():
        if name in fields:
            fields.setdefault(field, fields.pop(name))
    for name in ("input", "output"):
        if isinstance(value := fields.get(name), int | float) and not isinstance(value, bool):
            fields[name] = {"mean": value}
    if "arrivals" not in fields:
        order = (("request_rate", "open"), ("concurrency", "closed"), ("trace", "trace"), ("requests", "at_once"))
        fields["arrivals"] = next((kind for name, kind in order if fields.get(name)), None)
        if fields["arrivals"] is None:
            raise BadWorkload("nothing says how requests come: concurrency, request_rate or requests")
    notes = fields.pop("notes", None)
    return checked(fields, [note for note in notes if isinstance(note, str)] if isinstance(notes, list | tuple) else ())


_LENGTHS = {"input_tokens": "input", "output_tokens": "output", "isl": "input", "osl": "output"}
"""Other names for the lengths."""
