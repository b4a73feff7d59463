"""Sentences and small tables with numbers: "TTFT p99 9s, ITL 45ms at 64 users".

A number is taken only where its unit fits the word beside it. Wishes ("TTFT under 500 ms") are not measurements, a
change ("from 300 ms to 9 s") is read at its end, and configuration ("--max-num-seqs 256") is not touched. What is said
of a metric and cannot be used is listed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .failure_in_words import failure_in_words
from .lazy import Lazy
from .named_values import field_of
from .prose_table import read_table
from .prose_words import CLASS, Word, statistic_field, words_of
from .reading import Partial, excerpt

__all__ = ["read_prose"]

MAX_CHARACTERS = 20_000
MAX_LINE = 500
REACH = 40
"""Characters between a word and its number, beyond which they do not belong together."""

_LOG_LINE = Lazy(
    r"(?:INFO|WARNING|ERROR|DEBUG)[ :]|Traceback|^\s*File \"|^\s*\(\w+ pid=|^\d{4}-\d\d-\d\d|^\[|https?://\S+$"
)
_PRINTED = Lazy(
    r"(?:INFO|WARNING|ERROR|DEBUG)[ :]|Traceback|^\s*File \"|^\s*\(\w+ pid=|={8,}|-{8,}|━{4}|pid=\d|^\w*Error"
    r"|^Number Of |^Overall Output |^Completed Requests |^ {1,12}\w{2,8} = |throughput:|it/s\]|GiB|Namespace\(|^\S+\.py:\d+|\[type=|^  "
)
"""Lines a program printed."""
_COMMAND = Lazy(
    r"(?:^|\s)--?[a-z][\w-]*|\bvllm\s+(?:serve|bench)\b|\bdocker\b|\bpython3?\b|\bcurl\b|^\s*(?:export\s+)?[A-Z_]{4,}=",
    re.MULTILINE,
)
_BREAK = Lazy(r"[,;\n]|\.(?=\s|$)|\band\b|\bbut\b|\bwhile\b|，|；|。", re.IGNORECASE)
_CHANGE = Lazy(
    r"(?:\bfrom\s+)?~?\d[\d.,]*\s?[a-zA-Z%/µ]{0,10}\s*(?:->|→|=>|⇒)\s*"
    r"|\bfrom\s+~?\d[\d.,]*\s?[a-zA-Z%/µ]{0,10}\s+to\s+",
    re.IGNORECASE,
)
_SHAPE = Lazy(
    r"(?:ISL\s?/\s?OSL\s?[:=]?\s*)?"
    r"(?<![\w.])(?P<i>\d[\d,]{0,9})(?P<ik>[kK])?\s?(?:tokens? )?(?P<iw>in(?:put)?|prompt)?\s?(?:tokens?)?"
    r"\s?(?:/|\+|&|,|and|->|→)\s?"
    r"(?P<o>\d[\d,]{0,9})(?P<ok>[kK])?\s?(?:tokens? )?(?P<ow>out(?:put)?|completion)?(?![\w.])",
    re.IGNORECASE,
)
_TELLS = Lazy(r"\d|TTFT|ITL|TPOT|token|latency|\bno\b|\bzero\b", re.IGNORECASE)
_INTERVAL = Lazy(
    r"(\d{1,6}(?:\.\d+)?)\s?(s|secs?|seconds?|m|mins?|minutes?)\s(?:apart|later|between|interval)"
    r"|(?:interval|apart)\s*[:=]?\s*(\d{1,6}(?:\.\d+)?)\s?(s|sec|seconds?|min|minutes?)",
    re.IGNORECASE,
)
_PAIR = Lazy(
    r"(?:^|(?<=[,;{(])|(?<=\s))\s{0,8}[-*]?\s{0,8}[`']?([a-z][a-z0-9_]{2,40})[`']?\s{0,4}[:=]\s{0,8}"
    r"([-+]?\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,12})?(?:e[-+]?\d{1,3})?)(?=\s*(?:$|[,;})\n]))",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    words: list[Word]


def read_prose(text: str, fields: frozenset[str] = frozenset(), around: bool = False) -> Partial | None:
    """Read what a person wrote; None when no measurement is in it.

    `fields` are names that may stand as ``name: value``. With `around` the text is a log or a printed report, and
    only the words above and below it are read.
    """
    text = _around(text) if around else text[:MAX_CHARACTERS]
    part = Partial(what="")
    table = read_table(text)
    if table is not None:
        part = table
    else:
        told = text
        lines = [line for line in text.splitlines() if _is_prose(line)]
        text = "\n".join(lines)
        text = _pairs(text, fields, part)
        _sentences(text, part)
        part.what = f"statement with {len(part.readings)} value(s)"
        part.pool = failure_in_words(told)
        if part.pool is not None:
            part.what += " and a failure"
    if match := _INTERVAL.search(text):
        value, unit = (match.group(1), match.group(2)) if match.group(1) else (match.group(3), match.group(4))
        part.interval_s = float(value) * (60 if unit.lower().startswith("m") else 1)
        if not part.readings:
            part.what = f"statement of the time between scrapes ({part.interval_s:.6g} s)"
    return part if part.readings or part.interval_s is not None or part.unread or part.pool is not None else None


def _around(text: str) -> str:
    """The lines above and below a log or report, at most 30 each."""
    above = text[:6000].splitlines()[:30]
    below = text[-6000:].splitlines()[-30:]
    head = next((i for i, line in enumerate(above) if _PRINTED.search(line[:MAX_LINE])), None)
    if head is None:
        return "\n".join(above)
    tail = next(i for i, line in enumerate([*reversed(below), "Traceback"]) if _PRINTED.search(line[:MAX_LINE]))
    return "\n".join([*above[:head], *(below[len(below) - tail :] if tail else [])])


def _is_prose(line: str) -> bool:
    return bool(line.strip()) and len(line) <= MAX_LINE and not _LOG_LINE.search(line) and not _COMMAND.search(line)


def _pairs(text: str, fields: frozenset[str], part: Partial) -> str:
    """Take ``ttft_ms_mean: 350`` lines, in the names of the tools' arguments."""

    def take(match: re.Match[str]) -> str:
        name, scale = match.group(1).lower(), 1.0
        if name not in fields:
            found = field_of(name) if fields else None
            if found is None:
                return match.group()
            name, scale = found
        try:
            value = float(match.group(2).replace(",", ""))
        except ValueError:
            return match.group()
        if part.get(name) is None:
            part.add(name, value, f"statement: {match.group(1)}", "statement", scale)
        return ""

    return _PAIR.sub(take, text)


def _sentences(text: str, part: Partial) -> None:
    text = _shape(_CHANGE.sub(lambda m: " " * len(m.group()), text), part)
    last_metric: Word | None = None
    for clause in _clauses(text):
        if not _TELLS.search(clause):
            continue
        words = words_of(clause)
        metrics = [w for w in words if w.kind == "metric"]
        numbers = [w for w in words if w.kind == "number"]
        if numbers and any(w.kind == "goal" for w in words) and (metrics or any(n.name == "time" for n in numbers)):
            if metrics and any(m.name and m.name != "gpu_util" for m in metrics):
                part.unread.append(excerpt(f"statement: a goal, not a measurement: {clause.strip()}"))
            continue
        if not metrics and last_metric is not None and any(w.kind == "statistic" for w in words):
            words = [
                Word("metric", last_metric.name, 0, 0, text=last_metric.text),
                *words,
            ]  # "TTFT mean 350ms, p99 1.2s"
        _assign(_Clause(clause, words), part)
        timed = [m for m in metrics if CLASS.get(m.name) == "time"]
        last_metric = timed[-1] if timed else last_metric if not metrics else None


def _clauses(text: str) -> Iterator[str]:
    """Pieces of sentences; a comma inside a number is no break."""
    start = 0
    for match in _BREAK.finditer(text):
        at = match.start()
        if (
            match.group() == ","
            and at
            and text[at - 1].isdigit()
            and text[at + 1 : at + 4].isdigit()
            and not text[at + 4 : at + 5].isdigit()
        ):
            continue
        yield text[start:at]
        start = match.end()
    yield text[start:]


def _assign(clause: _Clause, part: Partial) -> None:
    """Give each number to the word it belongs to: the one before it that has none yet, else the one after it."""
    taken: set[int] = set()
    words = clause.words
    for index, word in enumerate(words):
        if word.kind != "number":
            continue
        found = _owner(words, index, taken)
        if found is None:
            _alone(clause, index, part)
            continue
        metric = words[found]
        hint = next((w for w in words[found + 1 : index] if w.kind == "unit"), None)
        value = _fitting(metric.name, word, hint)
        taken.add(found)
        if value is None:
            if CLASS.get(metric.name) == "time" and not word.name:
                part.unread.append(excerpt(f"statement: {metric.text} {word.text}: unit missing"))
            continue
        _keep(clause, index, metric, value, part)


def _owner(words: list[Word], index: int, taken: set[int]) -> int | None:
    number = words[index]
    before = [i for i in range(index) if words[i].kind == "metric"]
    if before and number.start - words[before[-1]].end <= REACH and _may(words[before[-1]].name, number):
        statistic_between = any(w.kind == "statistic" for w in words[before[-1] + 1 : index])
        if before[-1] not in taken or statistic_between:
            return before[-1]
    after = next((i for i in range(index + 1, len(words)) if words[i].kind in ("metric", "number")), None)
    if (
        after is not None
        and words[after].kind == "metric"
        and words[after].start - number.end <= REACH
        and _may(words[after].name, number)
    ):
        return after
    return None


def _may(metric: str, number: Word) -> bool:
    """True when the number's unit does not exclude the metric."""
    kind = CLASS.get(metric)
    if kind is None:
        return not number.name
    if not number.name:
        return True
    if metric == "throughput":
        return number.name in ("tokens/s", "requests/s")
    if kind == "count":
        return number.name in ("count", "tokens") if metric != "concurrency" else number.name == "count"
    return number.name == kind


def _fitting(metric: str, number: Word, hint: Word | None) -> float | None:
    """The value in the field's unit; None when the unit does not fit or is missing where it matters."""
    kind = CLASS.get(metric)
    if kind is None:
        return None
    if number.name in (kind, "tokens/s", "requests/s", "count"):
        return number.value
    if hint is not None and hint.name == kind:
        return number.value * hint.value
    if number.name or kind in ("time", "tokens/s"):
        return None
    if kind == "share":
        return number.value if number.value <= 1 else number.value / 100 if number.value <= 100 else None
    return number.value


def _keep(clause: _Clause, index: int, metric: Word, value: float, part: Partial) -> None:
    name = metric.name
    if name == "gpu_util":
        return  # dropped by the house rule; said so by readers.utilisation
    if CLASS.get(name) == "tokens/s" and _ONE_STREAM.search(clause.text):
        _per_stream(clause, clause.words[index], part)
        return
    if name == "throughput":
        name = "request_rate" if clause.words[index].name == "requests/s" else _which_rate(clause, index)
    statistic = _statistic(clause.words, index, metric)
    field = statistic_field(name, statistic)
    if field is None:
        part.unread.append(
            excerpt(f"statement: {statistic} of {metric.text} has no place in the diagnosis: {clause.text.strip()}")
        )
    elif part.get(field) is None:
        said = "" if statistic or CLASS.get(name) != "time" else ", taken for the mean"
        part.add(field, value, f'statement: "{excerpt(clause.text, 60)}"{said}', "statement")


def _statistic(words: list[Word], index: int, metric: Word) -> str | None:
    """The statistic nearest to the number in its clause, before it or in brackets after it."""
    before = [w for w in words[:index] if w.kind == "statistic"]
    numbers_between = before and any(w.kind == "number" and w.start > before[-1].start for w in words[:index])
    if before and not numbers_between:
        return before[-1].name
    after = next((w for w in words[index + 1 :] if w.kind in ("statistic", "number")), None)
    if (
        after is not None
        and after.kind == "statistic"
        and after.start - words[index].end <= 4
        and metric.start < words[index].start
    ):
        return after.name
    return None


_ONE_STREAM = Lazy(
    r"\b(?:per|each|every|a single|single|one)[- ]?(?:user|stream|request|client|connection|sequence)\b|/\s?(?:user|stream|request)\b"
    r"|\b(?:user|client)s? (?:gets?|sees?)\b",
    re.IGNORECASE,
)
_RATES = Lazy(r"\b(?:(total)|(prompt|prefill|input)|(out(?:put)?|generation|gen|decode|generated))\b", re.IGNORECASE)


def _which_rate(clause: _Clause, index: int) -> str:
    """Output, prompt or total: by the word between the number before and this one, else by one right behind it."""
    start = max((w.end for w in clause.words[:index] if w.kind == "number"), default=0)
    number = clause.words[index]
    before = list(_RATES.finditer(clause.text[start : number.start])) or list(_RATES.finditer(number.text))
    said = before[-1:] or list(_RATES.finditer(clause.text[number.end : number.end + 24]))[:2]
    if not said or any(word.group(3) for word in said):
        return "output_tok_s"  # "total generation" is the output of all
    return "total_tok_s" if said[0].group(1) else "prompt_tok_s"


def _alone(clause: _Clause, index: int, part: Partial) -> None:
    """A number whose unit says all: 850 tok/s, 4 req/s."""
    number = clause.words[index]
    rate = number.name == "tokens/s"
    if number.name == "stream tokens/s" or (rate and _ONE_STREAM.search(clause.text)):
        _per_stream(clause, number, part)
        return
    field = _which_rate(clause, index) if rate else "request_rate" if number.name == "requests/s" else None
    if field is not None and part.get(field) is None:
        part.add(field, number.value, f'statement: "{excerpt(clause.text, 60)}"', "statement")


def _per_stream(clause: _Clause, number: Word, part: Partial) -> None:
    """The speed of one stream is a time per token, and no throughput of the server."""
    if number.value > 0 and part.get("tpot_ms_mean") is None:
        said = f'statement: "{excerpt(clause.text, 60)}": 1 / tokens per second of one stream'
        part.add("tpot_ms_mean", 1000 / number.value, said, "statement")


def _shape(text: str, part: Partial) -> str:
    """Take "4000 in / 200 out" and "ISL/OSL 1024/128" as prompt and output length, and blank it."""

    def take(match: re.Match[str]) -> str:
        named = match.group("iw") and match.group("ow")
        if not named and not match.group().upper().startswith("ISL"):
            return match.group()
        for field, value, kilo in (("input_tokens", "i", "ik"), ("output_tokens", "o", "ok")):
            tokens = float(match.group(value).replace(",", "")) * (1000 if match.group(kilo) else 1)
            part.add(field, tokens, f'statement: "{excerpt(match.group(), 60)}"', "statement")
        return " " * len(match.group())

    return _SHAPE.sub(take, text)
