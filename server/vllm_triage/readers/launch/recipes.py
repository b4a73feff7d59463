"""Makefiles and justfiles: recipes with their own variables filled in, as the shell text they run.

``$(NAME)`` and ``${NAME}`` of make, ``{{name}}`` of just; a value that the paste assigns is put in its place, every other stays
as the shell variable ``$NAME``, which the paste does not give.
"""

import re

from ..lazy import Lazy

__all__ = ["as_shell"]

_RULE = Lazy(r"^[A-Za-z0-9_./%-]+[^:=\n]*:(?!=)[^=\n]*\n\t[^\n]+", re.M)
_JUST = Lazy(r"^@?[A-Za-z][\w-]*(?:[ ]+[\w*+$-]+(?:=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s:]+))?)*[ ]*:(?!=)[^\n]*\n[ \t]+\S", re.M)
_MAKE_SET = Lazy(r"^[ ]*(?:export[ ]+|override[ ]+)?([A-Za-z_]\w*)[ \t]*(\+|\?|::?)?=[ \t]*([^\n]*)$", re.M)
_JUST_SET = Lazy(r"^(?:export[ ]+)?([A-Za-z_][\w-]*)[ ]*:=[ ]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|(\S[^\n]*))$", re.M)
_JUST_PARAMETER = Lazy(r"([A-Za-z_][\w-]*)=(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s:]+))(?=[^\n]*:)")
_JUST_CALL = Lazy(r"env(?:_var_or_default|_var)?\([\"'](\w+)[\"'][ ]*(?:,[ ]*[\"']([^\"']*)[\"'])?\)")
_MAKE_USE = Lazy(r"\$(?:\(([A-Za-z_]\w*)\)|\{([A-Za-z_]\w*)\}|\$)")
_JUST_USE = Lazy(r"\{\{[ ]*([A-Za-z_][\w-]*)[ ]*\}\}")
_DEEPEST = 8
_LONGEST = 4_000


def as_shell(text: str) -> str | None:
    """The text with its variables filled in, or None when it is neither a Makefile nor a justfile."""
    if "\n\t" in text and _RULE.search(text) is not None:
        return _from_make(text)
    if ("{{" in text or ":=" in text) and _JUST.search(text) is not None and "kind:" not in text:
        return _from_just(text)
    return None


def _from_make(text: str) -> str:
    values: dict[str, str] = {}
    for match in _MAKE_SET.finditer(text):
        name, operator, value = match[1], match[2], match[3].partition(" #")[0].strip()
        if operator == "?" and name in values:
            continue
        values[name] = f"{values[name]} {value}" if operator == "+" and name in values else value

    def value_of(match: re.Match[str], depth: int = 0) -> str:
        name = match[1] or match[2]
        if name is None:
            return "$"
        if name not in values or depth > _DEEPEST:
            return f"${{{name}}}"
        return _MAKE_USE.sub(lambda inner: value_of(inner, depth + 1), values[name])[:_LONGEST]

    lines = [re.sub(r"^\t[@+-]*", "", line) if line.startswith("\t") else line for line in text.split("\n")]
    return "\n".join(
        # What make reads is no command: an assignment would otherwise be the shell's, a target a program.
        "" if _MAKE_SET.match(typed) or (not typed.startswith("\t") and line.endswith(":")) else _MAKE_USE.sub(value_of, line)
        for typed, line in zip(text.split("\n"), lines, strict=True)
    )


def _from_just(text: str) -> str:
    values: dict[str, str] = {}
    for match in _JUST_SET.finditer(text):
        bare = match[4] or ""
        called = _JUST_CALL.match(bare)
        if called:
            bare = called[2] if called[2] is not None else f"${called[1]}"
        values[match[1]] = match[2] or match[3] or bare
    lines = text.split("\n")
    for line in lines:
        if line[:1].isalpha() and ":" in line:
            for match in _JUST_PARAMETER.finditer(line.partition(":=")[0]):
                values.setdefault(match[1], match[2] or match[3] or match[4] or "")

    def value_of(match: re.Match[str]) -> str:
        return values.get(match[1], f"${{{match[1].replace('-', '_')}}}")

    kept = ("" if _JUST_SET.match(line) else re.sub(r"^([ \t]+)[@-]", r"\1", line) for line in lines)
    return "\n".join(_JUST_USE.sub(value_of, _JUST_USE.sub(value_of, line)) for line in kept)
