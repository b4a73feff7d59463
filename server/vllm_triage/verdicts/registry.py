"""Every rule of the base, found by walking ``rules/<family>/``; adding a rule is adding its file.

Nothing is imported until the first question. Two rules with one id are an error, not a surprise.
"""

import importlib
import pkgutil
from functools import cache

from . import rules as _folder
from .rule import Rule
from .specifier import holds

__all__ = ["find", "for_version", "rules"]


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, by family and then by id.

    Raises:
        ValueError: when two files define the same id.
        TypeError: when a file does not define a rule named ``check``.
    """
    found: dict[str, Rule] = {}
    for family in pkgutil.iter_modules(_folder.__path__):
        package = importlib.import_module(f"{_folder.__name__}.{family.name}")
        for module in pkgutil.iter_modules(package.__path__):
            if module.name.startswith("_"):  # what the rules of a family share
                continue
            made = getattr(importlib.import_module(f"{package.__name__}.{module.name}"), "check", None)
            if not isinstance(made, Rule):
                raise TypeError(f"rules/{family.name}/{module.name}.py defines no rule named check")
            if made.id in found:
                raise ValueError(f"two rules are named {made.id}: in {found[made.id].family} and in {made.family}")
            found[made.id] = made
    return tuple(found.values())


@cache
def for_version(version: str) -> tuple[Rule, ...]:
    """The rules that hold for one release."""
    return tuple(rule for rule in rules() if holds(rule.versions, version))


def find(rule_id: str) -> Rule | None:
    """The rule of that id."""
    return next((rule for rule in rules() if rule.id == rule_id), None)
