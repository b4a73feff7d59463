"""A change of a launch, in vLLM's own flags: ``--max-num-seqs 512``, ``--kv-cache-dtype fp8 without --enforce-eager``.

The words go through the same reading as a launch's, for the same release, so a misspelt, removed or out-of-range flag is
a named problem here as it would be there. Besides flags to set, a change may take flags out (``without --enforce-eager``),
set environment variables (``NAME=value``), or be the whole launch as it would be.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..domain import Json, Problem
from ..facts.flags import FlagSpec, table
from .arguments import Arguments, read_arguments
from .launches import read_launches

__all__ = ["MAX_CHANGE_CHARS", "ReadChange", "read_change"]

MAX_CHANGE_CHARS = 4096
"""Longest text of one change."""

ACCEPTED = "a change is vLLM flags, such as `--max-num-seqs 512`, or `without --enforce-eager`"

_OUT = frozenset({"without", "drop", "remove", "minus"})
_JOINS = frozenset({"and", "or", ",", "&", "+"})
_BACK = frozenset({"with", "add", "set", "plus", "then", "use"})
_BETWEEN = re.compile(r"(?<=\s)(?:and|but|then|plus|&&?)(?=\s+(?:-|with|drop|remove|minus|[A-Z_]+=))", re.IGNORECASE)
"""A word between two flags, where the reader of launches would take a remark to begin."""
_ASSIGNMENT = re.compile(r"([A-Z_][A-Z0-9_]*)=(.*)", re.DOTALL)
_WHOLE = re.compile(r"\bvllm\s+serve\b|api_server|\bLLM\(")


@dataclass(frozen=True, slots=True)
class ReadChange:
    """What one change asks for."""

    text: str
    """As typed, control characters and secrets gone, at most 200 characters."""
    changes: dict[str, Json] = field(default_factory=dict)
    """Parser destination to its new value; None takes the flag out."""
    env: dict[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @property
    def empty(self) -> bool:
        """True when nothing would change."""
        return not self.changes and not self.env

    @property
    def refused(self) -> bool:
        """True when this release's parser would not take the flags, or nothing in the text is one."""
        return any(problem.severity in ("fatal", "error") for problem in self.problems)


def read_change(
    text: str, version: str, *, given: Mapping[str, Json], model: str | None = None, usage: str = "server"
) -> ReadChange:
    """Read one change for `version`.

    Args:
        text: flags as typed.
        version: the release whose parser reads them.
        given: the arguments the launch has now, by destination; what is taken out must be among them.
        model: the model the launch serves.
        usage: ``server`` or ``llm``, as :class:`~vllm_triage.domain.Deployment` has it.
    """
    name = model or "model"
    whole = _WHOLE.search(text) is not None
    asked = _BETWEEN.sub(",", text[:MAX_CHANGE_CHARS])
    paste = read_launches(asked if whole else f"vllm serve {name} {asked}")
    shown = _shown(text)
    if not paste.launches:
        return ReadChange(shown, problems=(_refusal("nothing in it is a vLLM flag"),))
    launch = paste.launches[0]
    words = list(launch.words) if whole else list(launch.words[1:])
    taken = _Taken(version, given)
    rest = taken.read(words)
    env = dict(launch.env) | taken.env
    arguments = read_arguments(rest if whole else (name, *rest), version, "llm" if usage == "llm" else "serve")
    changes = _merged(arguments, given) | taken.out
    problems = [problem for problem in (*arguments.problems, *taken.problems) if problem.code not in _NOT_HERE]
    problems += [
        Problem(severity="warning", code="unread", message=f"not read: {part}"[:200], fix=ACCEPTED)
        for part in dict.fromkeys((*paste.unread, *launch.unread))
    ]
    if whole:
        changes = {dest: None for dest in given if dest not in changes and dest not in _MODEL} | changes
        changes = {dest: value for dest, value in changes.items() if dest not in given or given[dest] != value}
        if model is not None and arguments.model not in (None, model):
            problems.append(_refusal(f"it serves another model than {model}: compare models with plan_deployment"))
    changes = {dest: value for dest, value in changes.items() if dest not in _MODEL}
    if not changes and not env and not any(problem.severity == "fatal" for problem in problems):
        problems.append(_refusal("it sets nothing and takes nothing out"))
    return ReadChange(shown, changes, env, tuple(problems))


_MODEL = frozenset({"model", "model_tag"})
_NOT_HERE = frozenset({"no-model", "model-not-first", "model-option"})
"""Problems of where the model stands, which a change does not say."""


class _Taken:
    """Sorts words into those to set, and flags to take out."""

    def __init__(self, version: str, given: Mapping[str, Json]) -> None:
        self.table = table(version)
        self.version = version
        self.given = given
        self.out: dict[str, None] = {}
        self.env: dict[str, str] = {}
        self.problems: list[Problem] = []

    def read(self, words: Sequence[str]) -> list[str]:
        """The words that set something."""
        rest: list[str] = []
        position = 0
        while position < len(words):
            word = words[position].rstrip(",") if words[position].startswith("--") else words[position]
            position += 1
            if word.lower() in _OUT:
                position = self._take_out(words, position)
            elif assigned := _ASSIGNMENT.fullmatch(word):
                self.env[assigned[1]] = assigned[2]
            elif "=" in word and word.partition("=")[0] in self.table.by_dest:
                rest.append("--" + word)  # max_num_seqs=512, as Python has it
            elif word.lower() not in _JOINS and word.lower() not in _BACK:
                rest.append(word)
        return rest

    def _take_out(self, words: Sequence[str], position: int) -> int:
        """Take out the flag at `position` and those joined to it; returns where the rest goes on."""
        first = True
        while position < len(words):
            joined = words[position].endswith(",")
            option = words[position].rstrip(",").partition("=")[0]
            if words[position].lower() in _JOINS:
                position += 1
                continue
            spec = self.table.by_option(option) or self.table.by_dest.get(option.lstrip("-").replace("-", "_"))
            if spec is None:
                self._unknown(option)
                return position + 1
            value = self._value(spec, words, position)
            if not first and value is not None and value != str(self.given.get(spec.dest)):
                return position  # `without --enforce-eager, --block-size 32`: the second is set
            position += 1 + (value is not None and "=" not in words[position])
            self.out[spec.dest], first = None, False
            if spec.dest not in self.given:
                note = f"{spec.flag} is not on the command line: there is nothing to take out"
                self.problems.append(Problem(severity="warning", flag=spec.flag, code="not-given", message=note))
            if not (joined or (position < len(words) and words[position].lower() in _JOINS)):
                return position
        return position

    def _value(self, spec: FlagSpec, words: Sequence[str], position: int) -> str | None:
        """The value that stands with the flag at `position`."""
        if not spec.takes_value:
            return None
        _, glued, value = words[position].partition("=")
        if glued:
            return value.rstrip(",")
        after = words[position + 1] if position + 1 < len(words) else "-"
        return None if after.startswith("-") or after.lower() in _JOINS | _BACK | _OUT else after.rstrip(",")

    def _unknown(self, option: str) -> None:
        from difflib import get_close_matches  # noqa: PLC0415 (only on the way to an error)

        near = get_close_matches(option, self.table.long_options, n=1, cutoff=0.6)
        self.problems.append(Problem(
            severity="fatal", flag=option[:80], code="unknown-flag", fix=f"did you mean {near[0]}?" if near else ACCEPTED,
            message=f"{option[:80]} is no flag of vLLM {self.version}: it cannot be taken out",
        ))  # fmt: skip


def _merged(arguments: Arguments, given: Mapping[str, Json]) -> dict[str, Json]:
    """The values set; a dotted option (``--speculative-config.num_speculative_tokens 3``) changes a part of what is there."""
    dotted = {
        reading.spec.dest for reading in arguments.given
        if reading.spec is not None and "." in reading.given_as.partition("=")[0].split()[0]
    }  # fmt: skip
    values: dict[str, Json] = {}
    for dest, value in arguments.values.items():
        now = given.get(dest)
        values[dest] = {**now, **value} if dest in dotted and isinstance(now, dict) and isinstance(value, dict) else value
    return values


def _refusal(why: str) -> Problem:
    return Problem(severity="fatal", code="no-change", message=f"this is not a change that can be tried: {why}", fix=ACCEPTED)


def _shown(text: str) -> str:
    from .secrets import redact  # noqa: PLC0415 (its patterns are compiled on first use)

    clean = " ".join(redact(text[:MAX_CHANGE_CHARS])[0].split())
    clean = "".join(char for char in clean if char.isprintable())
    return clean if len(clean) <= 200 else clean[:197] + "..."
