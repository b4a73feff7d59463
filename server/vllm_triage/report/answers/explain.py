"""``explain``: one flag, metric, rule, class, threshold or house rule, for one version."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Literal

from pydantic import Field

from ...domain import Json
from ...domain.base import Words
from ...facts import flags, metrics, versions
from ...readers.secrets import redact
from ...verdicts import registry
from ...verdicts.policy import RULES
from ...verdicts.thresholds import THRESHOLDS
from ..answer import ToolAnswer
from ..arguments import BadArguments, ToolArguments, Version
from ..glossary import CLASSES
from ..words import shown

__all__ = ["Answer", "Arguments", "run"]

Kind = Literal["flag", "metric", "rule", "bottleneck", "outside", "threshold", "house_rule"]


class Arguments(ToolArguments):
    """What to explain."""

    term: str = Field(
        min_length=1, max_length=200,
        description="--max-num-seqs, vllm:num_requests_waiting, a rule id, kv_starvation, a threshold, core-metrics...",
    )
    vllm_version: Version | None = Field(None, description="Newest when left out.")


class Answer(ToolAnswer):
    """One term."""

    term: str
    """Its canonical name."""
    kind: Kind
    vllm_version: str
    exists: bool
    """False when this version does not have it (yet, or any more)."""
    details: dict[str, Json]
    """What is known of it, by heading."""
    sources: Words = Field((), exclude_if=lambda v: not v)
    see_also: Words = Field((), exclude_if=lambda v: not v)


def run(arguments: Arguments) -> Answer:
    """Look the term up in every table.

    Raises:
        BadArguments: when no table has it, naming the nearest terms.
    """
    version = arguments.vllm_version or versions.NEWEST
    term = arguments.term.strip().strip("`'\"")
    found = [answer for look in LOOKUPS if (answer := look(term, version)) is not None]
    if not found:
        raise BadArguments(_nothing(term, version))
    also = tuple(f"{other.kind} {other.term}" for other in found[1:])
    return found[0].but(see_also=found[0].see_also + also) if also else found[0]


def _flag(term: str, version: str) -> Answer | None:
    table = flags.table(version)
    option = term if term.startswith("-") else "--" + term.replace("_", "-")
    spec = table.by_option(option) or table.by_dest.get(term.lstrip("-").replace("-", "_"))
    past = flags.history(option) or (flags.history(spec.flag) if spec else None)
    if spec is None and past is None:
        return None
    name = spec.flag if spec else option.replace("_", "-")
    known = flags.knowledge(spec.dest if spec else name.removeprefix("--").replace("-", "_"))
    details: dict[str, Json] = {}
    if known:
        pairs = (("does", known.one_line), ("controls", known.controls), ("raising", known.raising),
                 ("lowering", known.lowering), ("watch", known.watch))
        details |= {heading: text for heading, text in pairs if text}
    if spec:
        details["default"] = spec.default
        details["type"] = TYPES.get(spec.type, "text")
        if spec.choices:
            details["choices"] = list(spec.choices)
        details["spellings"] = list(spec.option_strings)
        details["group"] = spec.group
    if past:
        lives = {"first seen": past.first_seen, "last seen": past.last_seen, "deprecated in": past.deprecated_in,
                 "replaced by": past.replaced_by}
        details |= {heading: text for heading, text in lives.items() if text}
    return Answer(
        summary=_flag_summary(name, version, details, spec is not None), term=name, kind="flag", vllm_version=version,
        exists=spec is not None, details=details, sources=(f"argument parser of vLLM {table.version}",),
    )


TYPES = {
    "int": "whole number", "float": "number", "bool": "on or off", "json": "JSON object",
    "human": "whole number, 4k and 1M are read", "human_auto": "whole number, 4k and 1M are read, or auto",
    "dict_or_str": "JSON object or text", "config": "JSON object", "backend": "name",
}
"""How a flag's value is written, where it is more than a text."""


def _flag_summary(name: str, version: str, details: dict[str, Json], exists: bool) -> str:
    said = str(details.get("does") or details.get("controls") or "").rstrip(".")
    what = f"{name}: {said}." if said else f"{name} is an option of vllm serve."
    if exists and details["default"] is None:
        return f"{what} In vLLM {version} it is not set by default; parse_vllm_command says what is then in force."
    if exists:
        return f"{what} In vLLM {version} the default is {shown(details['default'])}."
    first, last, then = (details.get(key) for key in ("first seen", "last seen", "replaced by"))
    removed = last and not versions.at_least(str(last), version)
    when = f"It was last seen in {last}" if removed else f"It comes with {first}"
    return f"{what} vLLM {version} does not have it. {when}{f'; use {then} instead' if then else ''}."


def _metric(term: str, version: str) -> Answer | None:
    found = metrics.find(term)
    if found is None:
        return None
    exists = metrics.exists(found.name, version)
    today = metrics.canonical(found.name) or found.name
    others = [name for name in metrics.aliases(today) if name != found.name]
    details: dict[str, Json] = {
        "means": found.meaning, "kind": found.kind, "unit": found.unit, "first seen": found.first,
        **({"last seen": found.last} if found.last else {}),
        **({"replaced by": found.replaced_by} if found.replaced_by else {}),
        **({"labels": list(found.labels)} if found.labels else {}),
        **({"other names": list(others)} if others else {}),
    }
    here = f"vLLM {version} exposes it." if exists else f"vLLM {version} does not expose it" + (
        f"; look at vllm:{found.replaced_by}." if found.replaced_by else ".")
    counter = " A lifetime counter: only the difference of two scrapes says what happens now."
    trap = counter if found.kind == "counter" else ""
    return Answer(
        summary=f"{found.exposed} ({found.kind}, {found.unit or 'no unit'}): {found.meaning.rstrip('.')}. {here}{trap}",
        term=found.exposed, kind="metric", vllm_version=version, exists=exists, details=details,
    )


def _rule(term: str, version: str) -> Answer | None:
    rule = registry.find(term.lower().replace("_", "-"))
    if rule is None:
        return None
    holds = rule in registry.for_version(version)
    where = f"Versions: {rule.versions or 'all'}, {version} is {'one of them' if holds else 'not'}."
    details: dict[str, Json] = {
        "severity": rule.severity, "basis": rule.basis, "versions": rule.versions or "all", "flags": list(rule.flags),
        **{heading.lower(): text for heading, text in rule.sections.items() if heading not in ("Versions", "Evidence")},
    }
    return Answer(
        summary=f"{rule.title.rstrip('.')}. {where} Fix: {_first_sentence(rule.sections['Fix'])}",
        term=rule.id, kind="rule", vllm_version=version, exists=holds, details=details, sources=rule.evidence,
    )


def _class(term: str, version: str) -> Answer | None:
    note = CLASSES.get(term.lower().replace("-", "_").replace(" ", "_"))
    if note is None:
        return None
    details: dict[str, Json] = {
        "shows": note.shows, "refuted by": note.refuted_by, "turn": note.turn, "useless": note.useless,
    }
    return Answer(
        summary=f"{note.title[:1].upper()}{note.title[1:]}: {note.means} Turn: {note.turn}", term=note.name,
        kind="bottleneck" if note.bottleneck else "outside", vllm_version=version, exists=True, details=details,
    )


def _threshold(term: str, version: str) -> Answer | None:
    found = THRESHOLDS.get(term.lower().replace("_", "-").replace(" ", "-"))
    if found is None:
        return None
    return Answer(
        summary=f"{found.name} is {found.value:g} ({found.unit}). {found.reason}", term=found.name, kind="threshold",
        vllm_version=version, exists=True, sources=(found.source,),
        details={"value": found.value, "unit": found.unit, "reason": found.reason},
    )


def _house_rule(term: str, version: str) -> Answer | None:
    found = RULES.get(term.lower().replace("_", "-"))
    if found is None:
        return None
    return Answer(
        summary=f"House rule {found.id}: {found.statement} {found.justification}", term=found.id, kind="house_rule",
        vllm_version=version, exists=True,
        details={
            "rule": found.statement, "justification": found.justification, "can be acknowledged": found.acknowledgeable,
        },
    )


LOOKUPS: tuple[Callable[[str, str], Answer | None], ...] = (_class, _house_rule, _threshold, _metric, _flag, _rule)
"""Closed vocabularies first: a term of ours outranks an option that happens to share its name."""


def _first_sentence(text: str) -> str:
    return " ".join(text.split()).split(". ")[0].rstrip(".") + "."


def _nothing(term: str, version: str) -> str:
    names = dict.fromkeys(_all_terms(version))
    plain = {name.lstrip("-").replace("-", "_").removeprefix("vllm:"): name for name in names}
    wanted = term.lower().lstrip("-").replace("-", "_").removeprefix("vllm:")
    near = [plain[close] for close in get_close_matches(wanted, plain, n=3, cutoff=0.6)]
    holding = [name for key, name in plain.items() if len(wanted) >= 4 and wanted in key and name not in near]
    near += holding[: 3 - len(near)]
    expected = "a vLLM flag, a vllm: metric, a rule id, a bottleneck, a threshold or a house rule is expected."
    hint = f"did you mean {' or '.join(near)}?" if near else expected
    return f"Nothing is known of {redact(term)[0][:60]!a} for vLLM {version}: {hint}"


def _all_terms(version: str) -> Iterator[str]:
    yield from CLASSES
    yield from RULES
    yield from THRESHOLDS
    yield from (f"vllm:{name}" for name in metrics.names())
    yield from flags.table(version).long_options
    yield from (rule.id for rule in registry.rules())
