"""Version specifiers such as ``>=0.17,<0.28``, answered fast.

A version is compared by its release number (:func:`vllm_triage.facts.versions.number`). Both halves are cached: a check
asks the same few questions for every rule.
"""

import re
from functools import cache
from operator import eq, ge, gt, le, lt, ne

from ..facts.versions import number

__all__ = ["Release", "holds"]

_CLAUSE = re.compile(r"(>=|<=|==|!=|>|<)(\d+\.\d+(?:\.\d+)?)(\.\*)?")
_TESTS = {">=": ge, "<=": le, "==": eq, "!=": ne, ">": gt, "<": lt}

Release = tuple[int, int, int]


@cache
def _clauses(specifier: str) -> tuple[tuple[str, Release, bool], ...]:
    clauses = []
    for part in filter(None, (p.strip() for p in specifier.split(","))):
        found = _CLAUSE.fullmatch(part)
        if found is None:
            raise ValueError(f"not a version specifier: {part!r} in {specifier!r}")
        clauses.append((found[1], number(found[2]), bool(found[3])))
    return tuple(clauses)


@cache
def holds(specifier: str, version: str) -> bool:
    """True when `version` satisfies every clause of `specifier`; an empty specifier always holds.

    ``==0.18.*`` compares the minor release only.
    """
    have = number(version)
    return all(
        _TESTS[sign](have[:2] if minor_only else have, want[:2] if minor_only else want)
        for sign, want, minor_only in _clauses(specifier)
    )
