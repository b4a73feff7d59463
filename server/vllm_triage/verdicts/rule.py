"""The shape of a compatibility rule: metadata, a docstring under fixed headings, one pure function.

A rule lives alone in ``rules/<family>/<rule_id>.py``; its id and family are the names of the file and the folder, so
neither is written twice. The decorated function gets a :class:`~vllm_triage.verdicts.context.Context` and answers with
a :class:`Hit`, several, or nothing. It asks for what it cannot do without (``ctx.need_model()``); when that is not
known the rule is reported as not checked, and never fires.
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from ..domain import FixStep, Json
from ..domain.finding import Basis, CompatSeverity
from .context import Context

__all__ = [
    "HEADINGS",
    "Change",
    "Hit",
    "Hits",
    "Need",
    "Rule",
    "drop",
    "drop_env",
    "fix_text",
    "put",
    "rule",
    "set_env",
]

HEADINGS = ("What happens", "Why", "Versions", "Evidence", "Fix")
"""The sections of every rule's docstring, in order."""

Need = Literal["model", "gpu", "gpu_count", "draft model", "plugins"]
"""What a rule may have to know beyond the flags themselves."""

Change = tuple[str, Json, Json]
"""A setting the engine changes: name, asked, got."""


def put(flag: str, value: Json) -> FixStep:
    """Set a flag; True and False stand for ``--flag`` and ``--no-flag``."""
    return FixStep(action="set", name=flag, to=value)


def drop(flag: str) -> FixStep:
    """Take a flag out."""
    return FixStep(action="drop", name=flag)


def set_env(name: str, value: str) -> FixStep:
    """Set an environment variable for the launch."""
    return FixStep(action="set_env", name=name, to=value)


def drop_env(name: str) -> FixStep:
    """Take an environment variable out."""
    return FixStep(action="drop_env", name=name)


@dataclass(frozen=True, slots=True)
class Hit:
    """One firing of a rule, with the user's own values in its words."""

    message: str
    effect: str
    steps: tuple[FixStep, ...] = ()
    """Edits which make the rule fall silent without starting another fatal one."""
    fix: str = ""
    """The way out in words; made from `steps` when empty."""
    flags: tuple[str, ...] = ()
    """Flags concerned; the rule's own when empty."""
    changed: tuple[Change, ...] = ()


Hits = Hit | Iterable[Hit] | None


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the base. Title, versions and evidence are read from the module's docstring."""

    id: str
    family: str
    severity: CompatSeverity
    basis: Basis
    flags: tuple[str, ...]
    """Canonical flags the rule is about."""
    needs: tuple[Need, ...]
    title: str
    versions: str
    """Releases it holds for, such as ``>=0.17,<0.28``; empty for all."""
    evidence: tuple[str, ...]
    sections: Mapping[str, str]
    """The docstring by heading."""
    check: Callable[[Context], Hits]
    starts: bool = True
    """False where vLLM accepts the configuration and the start fails all the same."""


def rule(
    severity: CompatSeverity, *, flags: tuple[str, ...], needs: tuple[Need, ...] = (), basis: Basis = "source",
    starts: bool = True,
) -> Callable[[Callable[[Context], Hits]], Rule]:
    """Make the decorated function the rule of its module.

    `flags` are the canonical flags it is about, `needs` what it may ask for beyond them, `starts` is False where what it
    finds ends the start after vLLM accepted the configuration. The module's docstring is the documentation: its first
    line is the title, the first line under "Versions" the specifier ("all" for every release), the bullets under
    "Evidence" name a file and symbol at a version, a release note or a public thread.

    Raises:
        ValueError: when the docstring lacks a heading of :data:`HEADINGS`.
    """

    def made(check: Callable[[Context], Hits]) -> Rule:
        module = sys.modules[check.__module__]
        family, name = check.__module__.rsplit(".", 2)[-2:]
        title, sections = _read(module.__doc__ or "")
        missing = [heading for heading in HEADINGS if not sections.get(heading)]
        if missing:
            raise ValueError(f"rules/{family}/{name}.py: the docstring says nothing under {', '.join(missing)}")
        versions = sections["Versions"].split("\n", 1)[0].strip()
        return Rule(
            id=name.replace("_", "-"),
            family=family,
            severity=severity,
            basis=basis,
            flags=flags,
            needs=needs,
            title=title,
            versions="" if versions == "all" else versions,
            evidence=_bullets(sections["Evidence"]),
            sections=sections,
            check=check,
            starts=starts,
        )

    return made


def _read(doc: str) -> tuple[str, dict[str, str]]:
    head, *rest = doc.split("\n## ")
    parts = (part.partition("\n") for part in rest)
    return head.strip().split("\n", 1)[0].rstrip("."), {heading.strip(): text.strip() for heading, _, text in parts}


def _bullets(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in f"\n{text}".split("\n- ")[1:])


def fix_text(steps: tuple[FixStep, ...]) -> str:
    """The edits in words that can be pasted."""
    return "; ".join(_step_text(step) for step in steps)


def _step_text(step: FixStep) -> str:
    if step.action == "drop":
        return f"remove `{step.name}`"
    if step.action == "drop_env":
        return f"unset `{step.name}`"
    if step.action == "set_env":
        return f"`{step.name}={step.to}`"
    if step.to is True:
        return f"`{step.name}`"
    if step.to is False:
        return f"`--no-{step.name.removeprefix('--')}`"
    if isinstance(step.to, dict):
        return f"`{step.name} '{json.dumps(step.to, separators=(',', ':'))}'`"
    if isinstance(step.to, list):
        return f"`{step.name} {' '.join(str(item) for item in step.to)}`"
    return f"`{step.name} {step.to}`"
