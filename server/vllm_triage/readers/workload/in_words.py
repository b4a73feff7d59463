"""Traffic in a sentence: "64 users, 2k in, 300 out", "4 req/s poisson, 1024/128", "200 prompts at once".

A sentence is numbers with what they count. Each pattern takes its match out of the text, so that no number is counted
twice; the numbers that are left at the end are told, not dropped.
"""

import re
from typing import Any

from ...domain import Lengths, Workload
from ..lazy import Lazy
from ..reading import excerpt
from .bad import BadWorkload, checked

__all__ = ["LONGEST", "read_words"]

LONGEST = 4000
"""Characters of a sentence."""

_N = r"(\d{1,9}(?:[.,]\d{1,9})?)[ \t]?(k\b|thousand\b|m\b|million\b)?"
_TOKENS = r"(?:[ -]?(?:tokens?|toks?|tok|t)\b)?"
_IS = r"[ \t]{0,3}(?:[:=~≈]|is|of|about|length|len|tokens?)?[ \t]{0,3}(?:[:=~≈]|is|of|about)?[ \t]{0,3}"

_S = r"(?:secs?|seconds?|s)"
_MANY = r"(?:requests?|reqs?|r|prompts?|queries|conversations?)"
_TOGETHER = (
    r"(?:concurrent\b(?:[ ](?:users?|requests?|clients?|sessions?|streams?))?|users?\b|clients?\b|sessions?\b|streams?\b"
    r"|parallel\b(?:[ ]requests?)?|in[ -]flight\b|concurrency\b|simultaneous\b(?:[ ]\w{1,12})?|at a time\b|agents?\b)"
)
_PREFIX = r"(?:prefix|system[ -]prompt|preamble)"

_PATTERNS: tuple[tuple[str, Lazy], ...] = (
    ("pair", Lazy(rf"{_N}{_TOKENS}[ \t]?(?:/|->|→|\+)[ \t]?{_N}{_TOKENS}(?![ \t]?(?:in|out|s\b))")),
    ("rate_minute", Lazy(rf"{_N}[ -]?{_MANY}?[ ]?(?:/|per|a|an)[ ]?(?:min|minutes?|m)\b")),
    ("rate", Lazy(rf"{_N}[ -]?{_MANY}?[ ]?(?:/|per|a|each|every)[ ]?{_S}\b")),
    ("rate", Lazy(rf"{_N}[ -]?(?:rps|qps)\b")),
    ("rate", Lazy(rf"\b(?:request[- _]rate|rps|qps|rate){_IS}{_N}")),
    ("burstiness", Lazy(rf"\bburstiness{_IS}{_N}")),
    ("think", Lazy(rf"{_N}[ -]?{_S}[ ]?(?:of[ ])?(?:think\w{{0,4}}|pauses?|between turns|apart)")),
    ("think", Lazy(rf"\bthink\w{{0,4}}(?:[ ]times?)?{_IS}{_N}[ ]?(?:{_S}\b)?")),
    ("turns", Lazy(rf"{_N}[ -]?turns?\b")),
    ("groups", Lazy(rf"{_N}[ -](?:different |distinct |shared )?(?:prefixes|system prompts|groups|tenants)\b")),
    ("prefix", Lazy(rf"{_N}{_TOKENS}[ -](?:of |long )?(?:a |the )?(?:shared |common |same |cached )?{_PREFIX}")),
    ("prefix", Lazy(rf"\b(?:shared |common )?{_PREFIX}{_IS}{_N}{_TOKENS}")),
    ("prefix", Lazy(rf"{_N}{_TOKENS}[ ](?:shared|in common)\b")),
    ("lengths", Lazy("")),
    ("users", Lazy(rf"{_N}[ -]?{_TOGETHER}")),
    ("users", Lazy(rf"\b(?:max[- _])?concurren(?:cy|t)(?:[ ](?:users?|requests?))?{_IS}{_N}")),
    ("requests", Lazy(rf"{_N}[ -]?{_MANY}\b")),
    ("requests", Lazy(rf"\b(?:num[- _]prompts|requests){_IS}{_N}")),
)
"""What each pattern's number counts; the first that matches a place has it. The lengths' own patterns go in between."""

_PROMPTS = r"prompts?[ ](?:tokens|length|each)|prompts?\b(?=[,;. ]|$)(?![ ](?:at once|in all|total|in total))"

_AFTER: tuple[tuple[str, Lazy], ...] = (
    ("input", Lazy(rf"{_N}{_TOKENS}[ -]?(?:of |as )?(?:in\b|inputs?\b|{_PROMPTS}|isl\b|context\b)")),
    (
        "output",
        Lazy(
            rf"{_N}{_TOKENS}[ -]?(?:of |as )?"
            r"(?:out\b|outputs?\b|generated\b|completions?\b|answers?\b|responses?\b|osl\b|new tokens\b)"
        ),
    ),
)
"""Lengths named after their number: 2k in."""

_INPUT = r"isl|inputs?|prompts?(?:[ _]tokens)?|input[ _-](?:len|length|tokens)|context"
_OUTPUT = r"osl|outputs?|completions?|answers?|output[ _-](?:len|length|tokens)|max[ _]tokens"

_BEFORE: tuple[tuple[str, Lazy], ...] = (
    ("input", Lazy(rf"\b(?:{_INPUT}){_IS}{_N}{_TOKENS}")),
    ("output", Lazy(rf"\b(?:{_OUTPUT}){_IS}{_N}{_TOKENS}")),
)
"""Lengths named before their number: ISL 2000."""

_POWER = Lazy(r"\b\d{1,9}(?:\.\d{1,9})?[eE][+-]?\d{1,4}\b")
"""A number by its power of ten: its digits would be taken for another number."""

_NAMED = Lazy(r"\b(?:isl|inputs?|prompts?|osl|outputs?|completions?|answers?|context)\b")
_ENDS_IN_NUMBER = Lazy(r"\d[ \t]?k?[ -]?(?:tokens?|toks?|t)?[ -]?$")

_SHAPES = (
    ("exponential", Lazy(r"\bexponential(?:ly)?\b")), ("lognormal", Lazy(r"\blog-?normal(?:ly)?\b|\bvarying\b|\bmixed lengths?\b")),
    ("uniform", Lazy(r"\buniform(?:ly)?\b")),
)  # fmt: skip
_AT_ONCE = Lazy(r"\b(?:all )?at (?:once|the same time)\b|\boffline\b|\bbatch job\b|\bat time 0\b")
_BURSTY = Lazy(r"\bbursty\b|\bin bursts\b")
_EVEN = Lazy(r"\bevenly spaced\b|\bconstant rate\b|\bdeterministic\b")
_LEFT = Lazy(r"\d{1,9}(?:[.,]\d{1,9})?(?:[ \t]?[A-Za-z%/]{1,20})?")


def read_words(text: str) -> Workload:
    """The traffic a sentence describes.

    Raises:
        BadWorkload: it does not say how many requests there are at a time, or how fast they come; or it is too long.
    """
    if len(text) > LONGEST:
        raise BadWorkload(f"a description of {len(text):,} characters is not a sentence, and no known file")
    if (written := _POWER.search(text)) is not None:
        raise BadWorkload(f"{written.group()} is not read; write the number in digits, or with k or m")
    found, rest = _numbers(text)
    notes: list[str] = []
    fields = {**_arrivals(found, rest, notes), **_lengths(found, rest, notes)}
    for name, field in (
        ("prefix", "shared_prefix_tokens"),
        ("groups", "prefix_groups"),
        ("turns", "turns"),
        ("think", "think_s"),
    ):
        if name in found:
            fields[field] = found[name] if name == "think" else max(1, round(found[name]))
    if left := [match.group() for match in _LEFT.finditer(rest)]:
        notes.append(excerpt("not read: " + ", ".join(left)))
    return checked({**fields, "source": "words"}, notes)


def _numbers(text: str) -> tuple[dict[str, float], str]:
    """What each number counts, and the text without them."""
    found: dict[str, float] = {}
    rest = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower())
    for name, pattern in _ordered(rest):
        if name in found:
            continue
        match = pattern.search(rest)
        if match is None:
            continue
        values = [_value(match.group(place), match.group(place + 1)) for place in range(1, len(match.groups()), 2)]
        if name == "pair":
            found["input"], found["output"] = values
        else:
            found[name] = values[0]
        rest = f"{rest[: match.start()]} ; {rest[match.end() :]}"
    return found, rest


def _ordered(text: str) -> list[tuple[str, Lazy]]:
    """The patterns in the order to try them: a sentence names its lengths either after or before their numbers."""
    first = _NAMED.search(text)
    before = first is not None and _ENDS_IN_NUMBER.search(text[max(0, first.start() - 20) : first.start()]) is None
    lengths = (*_BEFORE, *_AFTER) if before else (*_AFTER, *_BEFORE)
    place = next(place for place, (name, _) in enumerate(_PATTERNS) if name == "lengths")
    return [*_PATTERNS[:place], *lengths, *_PATTERNS[place + 1 :]]


def _value(number: str, unit: str | None) -> float:
    factor = {"k": 1e3, "t": 1e3, "m": 1e6}.get((unit or " ")[0], 1.0)
    return float(number.replace(",", ".")) * factor


def _arrivals(found: dict[str, float], rest: str, notes: list[str]) -> dict[str, Any]:
    requests = round(found["requests"]) if found.get("requests", 0) >= 1 else None
    users = round(found["users"]) if found.get("users", 0) >= 1 else None
    rate = found.get("rate") or (found["rate_minute"] / 60 if "rate_minute" in found else None)
    if rate:
        fields: dict[str, Any] = {"arrivals": "open", "request_rate": rate, "requests": requests, "concurrency": users}
        fields["burstiness"] = found.get("burstiness") or (
            0.25 if _BURSTY.search(rest) else 1e3 if _EVEN.search(rest) else 1.0
        )
        if _BURSTY.search(rest) and "burstiness" not in found:
            notes.append("bursty is taken as a burstiness of 0.25, as vllm bench serve counts it")
        return fields
    if users is not None:
        return {"arrivals": "closed", "concurrency": users, "requests": requests}
    if requests is not None:
        if not _AT_ONCE.search(rest):
            notes.append(f"{requests:,} requests without a rate or a concurrency: taken to come all at once")
        return {"arrivals": "at_once", "requests": requests}
    raise BadWorkload("nothing says how many users there are, at what rate requests come, or how many come at once")


def _lengths(found: dict[str, float], rest: str, notes: list[str]) -> dict[str, Any]:
    shape = next((name for name, pattern in _SHAPES if pattern.search(rest)), "fixed")
    spread = {"uniform": 0.5, "lognormal": 1.0}.get(shape, 0.0)
    if shape != "fixed":
        notes.append(f"lengths are {shape}" + (f" with a spread of {spread:g}" if spread else ""))

    def make(mean: float) -> Lengths:
        return Lengths.model_validate({"mean": mean, "shape": shape, "spread": spread})

    fields: dict[str, Any] = {}
    for name, otherwise in (("input", 1024.0), ("output", 256.0)):
        if name in found and found[name] < 1:
            raise BadWorkload(f"{found[name]:g} tokens of {name}: a request has at least one of each")
        if found.get(name, 0) >= 1:
            fields[name] = make(found[name])
        else:
            fields[name] = make(otherwise)
            notes.append(f"the {name} length is not said: {otherwise:g} tokens are assumed")
    return fields
