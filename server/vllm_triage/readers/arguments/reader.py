"""Read a command line as one release's ``vllm serve`` does: every value, every refusal, every word accounted for."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from vllm_triage.domain.base import Json
from vllm_triage.domain.deployment import Problem
from vllm_triage.facts.flags import FlagSpec, FlagTable, history, table
from vllm_triage.facts.versions import number

from .dialect import Dialect, dialect
from .matching import Matched, Taken, match
from .reading import Arguments, Given
from .rewriting import Rewritten, Word, rewrite
from .unknown import explain_unknown
from .values import Refused, convert

__all__ = ["read_arguments"]

SECRET_DESTS = frozenset({"api_key", "hf_token", "ssl_keyfile_password"})
BLANK = "[redacted]"


def read_arguments(
    words: Sequence[str], version: str, entrypoint: str = "serve", config: Mapping[str, Json] | None = None
) -> Arguments:
    """What the release that answers for `version` makes of `words`.

    `words` is what follows ``vllm serve`` (or the module, with entrypoint ``api_server``; or the arguments of ``LLM(...)`` as
    ``--name value``, with entrypoint ``llm``). `config` is the content of the file named with ``--config``.
    """
    flags, rules = table(version), dialect(version)
    rewritten = rewrite(words, rules, serve=entrypoint == "serve", config=config)
    matched = match([word.text for word in rewritten.words], flags)
    return _Reading(flags, rules, version, rewritten, matched).read()


class _Reading:
    """The work of one call."""

    def __init__(self, flags: FlagTable, rules: Dialect, version: str, rewritten: Rewritten, matched: Matched) -> None:
        self.flags = flags
        self.rules = rules
        self.version = version
        self.words = rewritten.words
        self.notes = rewritten.notes
        self.matched = matched
        self.problems = list(rewritten.problems)
        self.values: dict[str, Json] = {}
        self.given: list[Given] = []

    def read(self) -> Arguments:
        stray = list(self.matched.stray)
        model = None if self.matched.model_at is None else self.words[self.matched.model_at].text
        readings: dict[int, Given] = {}
        for taken in self.matched.taken:
            readings[taken.at] = self._option(taken)
        for at in (*self.matched.unknown, *self.matched.ambiguous):
            value_at = at + 1 if at + 1 in stray else None
            if value_at is not None:
                stray.remove(value_at)
            readings[at] = self._not_an_option(at, value_at)
        for at in stray:
            self._stray(at)
        self.given = [readings[at] for at in sorted(readings)]
        self._mark_overridden()
        if model is not None:
            self.values["model"] = model
        said = self.values.get("model")
        return Arguments(
            version=self.flags.version,
            values=self.values,
            given=tuple(self.given),
            model=said if isinstance(said, str) else None,
            problems=tuple(self.problems),
        )

    def _typed(self, at: int, until: int) -> str:
        return " ".join(word.typed for word in self.words[at:until] if word.typed)

    def _problem(self, code: str, flag: str | None, message: str, fix: str = "") -> None:
        self.problems.append(Problem(severity="fatal", flag=flag, message=message, fix=fix, code=code))

    def _option(self, taken: Taken) -> Given:
        spec = taken.spec
        typed = self._typed(taken.at, taken.until)
        note = self.notes.get(taken.spelled, "")
        if taken.abbreviated is not None:
            note = f"{taken.abbreviated} is read as {taken.spelled}; an abbreviation breaks as soon as another option begins like it"
        if taken.error:
            self._problem("invalid-value", spec.flag, f"{taken.spelled} {taken.error}")
            return Given(spec.flag, typed, None, "invalid", None, note, spec)
        try:
            value = self._value(taken)
        except Refused as refused:
            self._problem("invalid-value", spec.flag, f"{taken.spelled}: {refused}")
            return Given(spec.flag, typed, None, "invalid", None, note, spec)
        if spec.action == "append":
            before = self.values.get(spec.dest)
            value = [*(before if isinstance(before, list) else []), value]
        self.values[spec.dest] = value
        past = history(spec.flag)
        deprecated = past is not None and past.deprecated_in and number(past.deprecated_in) <= number(self.version)
        if spec.dest in SECRET_DESTS:
            typed, value = f"{taken.spelled} {BLANK}", BLANK
            self.values[spec.dest] = value
        return Given(spec.flag, typed, value, "deprecated" if deprecated else "ok", None, note, spec)

    def _value(self, taken: Taken) -> Json:
        spec = taken.spec
        if spec.action == "help":
            raise Refused("prints the help and exits")
        if spec.action == "flag":
            return True
        if spec.action in ("bool", "toggle"):
            return taken.spelled not in spec.negatives
        if spec.nargs == "?" and not taken.values:
            return spec.const
        values = [convert(spec, text, self.rules) for text in taken.values]
        if spec.action == "lora":
            return _lora(values)
        return values if spec.nargs == "+" else values[0]

    def _not_an_option(self, at: int, value_at: int | None) -> Given:
        typed = self._typed(at, at + 1 if value_at is None else value_at + 1)
        name, equals, value = self.words[at].text.partition("=")
        if value_at is not None:
            value = self.words[value_at].text
        could = self.matched.ambiguous.get(at)
        if could is not None:
            self._problem("ambiguous", name, f"{name} could be {', '.join(could)}", "write the option in full")
            return Given(name, typed, value or None, "invalid", None, "", None)
        found = explain_unknown(name, self.flags, self.version)
        self._problem(found.code, name, found.message, found.fix)
        shown = value if equals or value_at is not None else None
        return Given(name, typed, shown, found.status, found.did_you_mean, "", None)

    def _stray(self, at: int) -> None:
        text = self.words[at].text
        before = self.words[at - 1].text if at else ""
        spec = self.flags.by_option(before)
        if spec is not None and not spec.takes_value and text.lower() in ("true", "false", "1", "0", "yes", "no"):
            wanted = before if text.lower() in ("true", "1", "yes") else next(iter(sorted(spec.negatives)), "nothing")
            self._problem("invalid-value", spec.flag, f"{before} takes no value, but is followed by {text!r}", f"write {wanted}")
            return
        self._problem("stray-word", None, f"nothing takes the word {text[:80]!r}", "quote it, or put it behind its option")

    def _mark_overridden(self) -> None:
        last: dict[str, int] = {}
        for i, given in enumerate(self.given):
            if given.spec is None or given.status == "invalid" or given.spec.action == "append":
                continue
            before = last.get(given.spec.dest)
            if before is not None:
                note = "given again later: the last one wins"
                self.given[before] = replace(self.given[before], overridden=True, note=note)
            last[given.spec.dest] = i


def _lora(items: Sequence[Json]) -> Json:
    out: list[Json] = []
    for item in items:
        if not isinstance(item, str) or not item:
            continue
        if "=" in item and "," not in item:
            name, _, path = item.partition("=")
            out.append({"name": name, "path": path})
            continue
        try:
            read: Json = json.loads(item)
        except (ValueError, RecursionError):
            raise Refused(f"{item[:60]!r} is neither name=path nor JSON") from None
        if not isinstance(read, dict) or not {"name", "path"} <= read.keys() <= {"name", "path", "base_model_name"}:
            raise Refused(f"{item[:60]!r} must hold name and path, and may hold base_model_name")
        out.append(read)
    return out
