"""``argparse``'s own rules: which word is an option, which words are its values, what is left over.

The rules are those of Python 3.11's ``argparse._parse_known_args`` for a parser with one optional positional (the model).
Unlike ``argparse`` this does not stop at the first error: it notes it and goes on, so that every mistake is named.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from vllm_triage.facts.flags import FlagSpec, FlagTable

__all__ = ["Matched", "Taken", "match"]

_NEGATIVE = re.compile(r"-\d+$|-\d*\.\d+$")


class Taken(NamedTuple):
    """An option found in the words."""

    at: int
    """Index of its word."""
    spec: FlagSpec
    spelled: str
    """The option string it was matched to (the full one where the user abbreviated)."""
    values: tuple[str, ...]
    until: int
    """Index behind its last value."""
    abbreviated: str | None = None
    """What was typed, when that was only the beginning of the option."""
    error: str = ""
    """Why ``argparse`` refuses it."""


class Matched:
    """All words, divided."""

    def __init__(self) -> None:
        self.taken: list[Taken] = []
        self.model_at: int | None = None
        self.unknown: list[int] = []
        """Words that look like options but are none."""
        self.stray: list[int] = []
        """Words nobody takes."""
        self.ambiguous: dict[int, tuple[str, ...]] = {}
        """Words that abbreviate more than one option."""


class _Found(NamedTuple):
    spec: FlagSpec | None
    spelled: str
    explicit: str | None
    abbreviated: bool = False


def match(words: Sequence[str], table: FlagTable, *, positional: bool = True) -> Matched:
    """Divide `words` among the options of `table`. `positional` is False where no model may stand by itself."""
    out = Matched()
    found: dict[int, _Found] = {}
    plain: list[bool] = []
    for i, word in enumerate(words):
        if word == "--":
            plain += [False] + [True] * (len(words) - i - 1)
            break
        option = _option(word, table, out, i)
        plain.append(option is None)
        if option is not None:
            found[i] = option
    open_positional = positional
    i = 0
    while i < len(words):
        option = found.get(i)
        if option is not None:
            i = _take(i, option, words, plain, table, out)
        elif open_positional:
            start = i + 1 if words[i] == "--" and not plain[i] else i
            open_positional = False
            if start < len(words) and plain[start]:
                out.model_at = start
            i = start + 1
            if i < len(words) and words[i] == "--" and not plain[i]:
                i += 1
        else:
            out.stray.append(i)
            i += 1
    return out


def _option(word: str, table: FlagTable, out: Matched, at: int) -> _Found | None:
    if not word.startswith("-") or len(word) == 1:
        return None
    options = table.options
    if word in options:
        return _Found(options[word], word, None)
    name, equals, value = word.partition("=")
    explicit = value if equals else None
    if equals and name in options:
        return _Found(options[name], name, explicit)
    if word.startswith("--"):
        candidates = [_Found(options[o], o, explicit, True) for o in table.beginning(name)]
    else:
        candidates = [
            _Found(spec, o, word[2:]) if o == word[:2] else _Found(spec, o, None, True)
            for o, spec in table.short_options.items()
            if o == word[:2] or o.startswith(word)
        ]
    if len(candidates) > 1:
        out.ambiguous[at] = tuple(c.spelled for c in candidates)
        return _Found(None, word, None)
    if candidates:
        return candidates[0]
    if _NEGATIVE.match(word) or " " in word:
        return None
    return _Found(None, word, None)


def _take(at: int, option: _Found, words: Sequence[str], plain: list[bool], table: FlagTable, out: Matched) -> int:
    """Take one option and its values; the index behind them."""
    spec, spelled, explicit = option.spec, option.spelled, option.explicit
    if spec is None:
        if at not in out.ambiguous:
            out.unknown.append(at)
        return at + 1
    typed = words[at].partition("=")[0] if option.abbreviated else None
    if explicit is not None:
        while not spec.takes_value and not spelled.startswith("--") and explicit:
            out.taken.append(Taken(at, spec, spelled, (), at + 1, typed))
            following = table.options.get("-" + explicit[0])
            if following is None:
                return _refuse(out, at, spec, spelled, f"takes no value, but was given {explicit!r}", typed)
            spec, spelled, explicit = following, "-" + explicit[0], explicit[1:] or None
            if explicit is None:
                break
        if explicit is not None:
            if not spec.takes_value:
                return _refuse(out, at, spec, spelled, f"takes no value, but was given {explicit!r}", typed)
            out.taken.append(Taken(at, spec, spelled, (explicit,), at + 1, typed))
            return at + 1
    end = at + 1
    most = 0 if not spec.takes_value else 1 if spec.nargs in (None, "?") else len(words)
    while end < len(words) and plain[end] and end - at - 1 < most:
        end += 1
    if end == at + 1 and spec.takes_value and spec.nargs != "?":
        wanted = "at least one value" if spec.nargs == "+" else "a value"
        return _refuse(out, at, spec, spelled, f"needs {wanted}", typed)
    out.taken.append(Taken(at, spec, spelled, tuple(words[at + 1 : end]), end, typed))
    return end


def _refuse(out: Matched, at: int, spec: FlagSpec, spelled: str, error: str, typed: str | None) -> int:
    out.taken.append(Taken(at, spec, spelled, (), at + 1, typed, error))
    return at + 1
