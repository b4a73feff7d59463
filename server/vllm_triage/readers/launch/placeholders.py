"""What a text leaves to be filled in: ``<model>``, ``YOUR_MODEL``, ``REPLACE_WITH_MODEL``, ``/path/to/model``, ``xxx``.

Such a word is no value: whoever runs the command puts another in its place.
"""

from collections.abc import Iterable

from ..lazy import Lazy

__all__ = ["placeholder_in", "placeholders_of"]

# Marks that stand anywhere in a word, then words that only stand for another, alone or as the last part of a path.
_MARKED = Lazy(r"<[A-Za-z_][^<>\n]{0,80}>")
_NAMED = Lazy(
    r"(?:^|(?<=[/:,=\"\[{ ]))(?:"
    r"(?:REPLACE|CHANGE|INSERT|FILL|ENTER|CHOOSE|SELECT|YOUR|MY|SOME)_[A-Z0-9_]{2,80}|(?:[Yy]our|YOUR|[Rr]eplace|[Cc]hange)[_-][\w.-]{2,80}"
    r"|CHANGEME|[Cc]hangeme|REPLACEME|PLACEHOLDER|FIXME|TODO|TBD|[xX]{3,20}|\.{3}|…"
    r"|\[(?:[Yy]our|MODEL|[Mm]odel|PATH|[Pp]ath)[\w -]{0,60}\]"
    r")(?=$|[\",\]} ])"
)
_MODEL = Lazy(
    r"(?:MODEL|MODELS?_?(?:NAME|ID|PATH|TAG|DIR|REPO))"
    r"|(?:\S*/)?path/to/(?:(?:the|your|my)[_-]?)?(?:local[_-]?)?(?:model|weights|checkpoint)s?/?"
)
"""What stands for a model only: elsewhere it may be a value."""
_MOST = 50
"""Placeholders named of one launch."""
_HINTS = (
    "<", "REPLACE", "eplace", "CHANGE", "hange", "INSERT", "FILL", "ENTER", "CHOOSE", "SELECT", "YOUR", "our", "MY_", "SOME_",
    "PLACEHOLDER", "FIXME", "TODO", "TBD", "xxx", "XXX", "...", "…", "MODEL", "path/to", "[",
)  # fmt: skip


def placeholder_in(text: str, *, model: bool = False) -> str | None:
    """The placeholder that `text` is, holds between angle brackets, or ends in as a path does; None when it is a value."""
    if len(text) > 4_000 or not _hinted(text):
        return None
    if model and _MODEL.fullmatch(text):
        return text
    found = _MARKED.search(text) or _NAMED.search(text)
    return found[0] if found else None


def _hinted(text: str) -> bool:
    for hint in _HINTS:  # noqa: SIM110 (asked of every launch: a generator would take three times as long)
        if hint in text:
            return True
    return False


def placeholders_of(words: Iterable[str]) -> tuple[str, ...]:
    """The placeholders among the words of a launch; its model is the first word, or stands behind ``--model``."""
    words = tuple(words)
    if not _hinted(" ".join(words)):
        return ()
    found: list[str] = []
    before = ""
    for at, word in enumerate(words):
        if len(found) >= _MOST:
            break
        value = word.partition("=")[2] if word.startswith("-") else word
        model = before == "--model" or word.startswith("--model=") or (at == 0 and not word.startswith("-"))
        if value and (placeholder := placeholder_in(value, model=model)) and placeholder not in found:
            found.append(placeholder)
        before = word
    return tuple(found)
