"""Read a command line as one release's ``vllm serve`` does: every value, every refusal, every word accounted for."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from vllm_triage.domain.base import Json
from vllm_triage.domain.deployment import FlagStatus, Problem
from vllm_triage.facts.flag_configs import config_class, names
from vllm_triage.facts.flags import FlagTable, history, table
from vllm_triage.facts.versions import between, number

from ..secrets import BLANK, is_secret_name, redact, redact_into, suspects
from .bounds import out_of_range
from .dialect import Dialect, dialect
from .matching import Matched, Taken, match
from .reading import Arguments, Given
from .rewriting import Rewritten, fatal, rewrite, warn
from .unknown import explain_unknown
from .values import Refused, convert

__all__ = ["read_arguments"]

SECRET = frozenset({"api_key", "hf_token"})
"""Destinations whose value is never kept."""

SERVER_ONLY = frozenset({"api_server_count", "config", "enable_log_requests", "grpc", "headless"})
"""Options of no configuration class that ``LLM(...)`` does not take; the server's own (group Frontend) it does not take either."""

TAKEN_BY_LLM = {"--swap-space": ("0.18.0", "0.26.0")}
"""Arguments that ``LLM(...)`` still takes, with a warning and no effect, in releases (first, first without) whose parser does not."""

MOST_GUESSES = 40
"""Text with more unknown options than this is no command line; looking for what each might mean would only take time."""

_NO_MODEL = frozenset({"no-model", "model-not-first", "model-option"})
_YES, _NO = frozenset({"true", "1", "yes", "on"}), frozenset({"false", "0", "no", "off"})


def read_arguments(
    words: Sequence[str], version: str, entrypoint: str = "serve", config: Mapping[str, Json] | None = None
) -> Arguments:
    """What the release that answers for `version` makes of `words`.

    `words` is what follows ``vllm serve`` (or the module, with entrypoint ``api_server``; or the arguments of ``LLM(...)`` as
    ``--name value``, with entrypoint ``llm``). `config` is the content of the file named with ``--config``, where it is known.
    """
    try:
        return _read(words, version, entrypoint, config)
    except RecursionError:
        problem = fatal("too-deep", None, "a value is nested deeper than any configuration", "give its JSON with fewer levels")
        return Arguments(table(version).version, {}, problems=(problem,))


def _read(words: Sequence[str], version: str, entrypoint: str, config: Mapping[str, Json] | None) -> Arguments:
    flags, rules = table(version), dialect(version)
    if entrypoint == "llm":  # its values never were text
        rules = rules._replace(python_literal=False)
    rewritten = rewrite(words, rules, flags.options, serve=entrypoint == "serve", config=config)
    texts = [word.text for word in rewritten.words]
    matched = match(texts, flags)
    clean = _clean if _hold_secrets(texts) else _printable
    return _Reading(flags, rules, entrypoint, rewritten, matched, clean).read()


def _hold_secrets(texts: Sequence[str]) -> bool:
    """Whether there is anything to blank: one look at all the words first, for most hold nothing like a secret."""
    found: list[str] = []
    rules = suspects("\n".join(texts))
    return bool(rules) and any(redact_into(text, found, rules) != text for text in texts if len(text) > 7)


class _Reading:
    """The work of one call."""

    def __init__(
        self, flags: FlagTable, rules: Dialect, entrypoint: str, rewritten: Rewritten, matched: Matched,
        clean: Callable[[str], str],
    ) -> None:  # fmt: skip
        self.flags = flags
        self.rules = rules
        self.entrypoint = entrypoint
        self.words = rewritten.words
        self.notes = rewritten.notes
        self.matched = matched
        self.config = rewritten.config
        self.problems = list(rewritten.problems)
        self.values: dict[str, Json] = {}
        self.clean = clean
        self.readings: list[tuple[int, Given]] = []
        """Each with the place of its first word as typed, in the order the parser takes them."""
        self.stray = list(matched.stray)
        self.guess = len(matched.unknown) <= MOST_GUESSES

    def read(self) -> Arguments:
        for taken in self.matched.taken:
            self.readings.append((self.words[taken.at].at, self._option(taken)))
        for at in sorted((*self.matched.unknown, *self.matched.ambiguous)):
            self.readings.append((self.words[at].at, self._not_an_option(at)))
        for at in self.stray:
            self._stray(at)
        if self.config is not None:
            text, typed, at = self.config
            spec = self.flags.by_option("--config")
            self.readings.append((at, Given("--config", self.clean(typed), self.clean(text), spec=spec)))
        model = self._model()
        self._mark_overridden()
        given = tuple(reading for _, reading in sorted(self.readings, key=lambda pair: pair[0]))
        return Arguments(self.flags.version, self.values, given, model, tuple(self.problems))

    def _problem(self, code: str, flag: str | None, message: str, fix: str = "") -> None:
        self.problems.append(fatal(code, flag, message, fix))

    def _typed(self, at: int, until: int) -> str:
        return self.clean(" ".join(word.typed for word in self.words[at:until] if word.typed))

    def _model(self) -> str | None:
        """The model in force: the positional one before ``--model``."""
        at = self.matched.model_at
        if at is not None:
            word = self.words[at]
            if "--model" in self.notes:
                spec = self.flags.by_option("--model")
                note = self.notes["--model"]
                self.readings.append((word.at, Given("--model", self.clean(word.typed), self.clean(word.text), "ok", None, note, spec)))
            if self.entrypoint == "serve":
                self.values["model"] = self.clean(word.text)
            elif self.values.get("model") is None:
                message = f"the model {self.clean(word.text[:80])!r} stands by itself, where this entrypoint takes no notice of it"
                self.problems.append(warn("model-ignored", "--model", message, "write --model MODEL"))
                return self.clean(word.text)
        elif self.entrypoint == "serve" and "model_tag" in self.flags.by_dest and self.flags.by_dest["model_tag"].required:
            self._problem("no-model", None, "`vllm serve` of this version needs a model", "write `vllm serve MODEL ...`")
        said = self.values.get("model")
        told = any(problem.code in _NO_MODEL for problem in self.problems)
        if said is None and self.entrypoint != "llm" and self.readings and not told:
            default = self.flags.by_dest["model"].default
            message = f"no model is given; this version would serve its default, {default}"
            self.problems.append(Problem(severity="info", message=message, fix="write `vllm serve MODEL ...`", code="no-model"))
        return said if isinstance(said, str) else None

    def _option(self, taken: Taken) -> Given:
        spec = taken.spec
        typed = self._typed(taken.at, taken.until)
        note = (self.notes.get(taken.spelled) or self.notes.get(spec.flag, "")) if self.notes else ""
        if taken.abbreviated is not None:
            note = f"{taken.abbreviated} is read as {taken.spelled}; an abbreviation breaks once another option begins like it"
        try:
            if taken.error:
                raise Refused(taken.error)
            value = self._value(taken)
        except Refused as refused:
            return self._refused(taken, typed, note, refused)
        if self.entrypoint == "llm" and (spec.dest in SERVER_ONLY or (spec.group == "Frontend" and spec.dest != "chat_template")):
            self._problem("server-only", spec.flag, f"LLM(...) takes no {spec.dest}; it belongs to the server", "leave it out")
        if spec.action == "append":
            before = self.values.get(spec.dest)
            value = [*(before if isinstance(before, list) else []), value]
        if spec.dest in SECRET and value is not None:
            typed, value = f"{taken.spelled} {BLANK}", BLANK
        else:
            value = self._blanked(value)
        if spec.config is not None and isinstance(value, dict):
            value, ignored = _known_keys(value, spec.config, self.flags.version)
            if ignored:
                self.problems.append(warn("key-ignored", spec.flag, f"{taken.spelled}: {ignored}"))
        self.values[spec.dest] = value
        bound = out_of_range(spec.dest, value, self.flags.version)
        if bound is not None:
            self._problem("out-of-range", spec.flag, f"{spec.flag} {value!r}: {bound}")
        status, why = _status(spec.flag, spec.deprecated, self.rules.version)
        if status == "deprecated":
            self.problems.append(warn("deprecated", spec.flag, f"{taken.spelled} is deprecated in this version", why))
        return Given(spec.flag, typed, value, status, None, note or why, spec)

    def _blanked(self, value: Json) -> Json:
        """The value with every secret in it blanked, by its looks or by the key it stands under."""
        if isinstance(value, str):
            return self.clean(value)
        if self.clean is not _clean or not isinstance(value, dict | list):
            return value
        if isinstance(value, list):
            return [self._blanked(item) for item in value]
        return {key: BLANK if is_secret_name(key) and isinstance(item, str) else self._blanked(item) for key, item in value.items()}

    def _refused(self, taken: Taken, typed: str, note: str, refused: Refused) -> Given:
        spec = taken.spec
        if spec.dest in SECRET:
            typed = f"{taken.spelled} {BLANK}"
        if spec.action == "help":
            self._problem("help", "--help", f"{taken.spelled} prints the help and exits")
        elif not spec.takes_value:
            off = next((o for o in spec.option_strings if o in spec.negatives), None)
            fix = f"write {spec.flag}" + (f" or {off}" if off else " alone, or leave it out")
            self._problem("invalid-value", spec.flag, f"{taken.spelled} {refused}", fix)
        else:
            missing = not taken.values
            choices = ", ".join(str(choice) for choice in spec.choices)
            fix = f"one of {choices}" if choices and missing else ""
            message = f"{taken.spelled} {refused}" if missing else f"{taken.spelled}: {self.clean(str(refused))}"
            self._problem("missing-value" if missing else "invalid-value", spec.flag, message, fix)
        return Given(spec.flag, typed, None, "invalid", None, note, spec)

    def _value(self, taken: Taken) -> Json:
        spec = taken.spec
        if spec.action == "help":
            raise Refused("")
        if spec.action == "flag":
            return True
        if spec.action in ("bool", "toggle"):
            return taken.spelled not in spec.negatives
        if spec.nargs == "?" and not taken.values:
            return spec.const
        if taken.values == ("--",):  # ``--x=--``: argparse drops a "--" wherever it stands, and is left with nothing
            return []
        values = [convert(spec, text, self.rules) for text in taken.values]
        if spec.action == "maybe":
            if str(values[0]).lower() not in ("true", "false"):
                raise Refused(f"{values[0]!r} is neither true nor false")
            return str(values[0]).lower() == "true"
        if spec.action in ("lora", "adapter"):
            fields = names("lora_fields", self.flags.version) if spec.action == "lora" else ()
            return _modules(values, fields)
        return values if spec.nargs == "+" else values[0]

    def _not_an_option(self, at: int) -> Given:
        """An unknown or ambiguous word, with the word behind it that looks like its value."""
        name, equals, value = self.words[at].text.partition("=")
        could = self.matched.ambiguous.get(at)
        found = None if could is not None else explain_unknown(name, self.flags, self.rules.version, guess=self.guess)
        until = at + 1
        if not equals and at + 1 in self.stray and (found is None or found.takes_value):
            self.stray.remove(at + 1)
            value, until = self.words[at + 1].text, at + 2
        elif not equals and found is not None and found.takes_value and self.matched.model_at == at + 1 and self.stray:
            self.matched.model_at = self.stray.pop(0)  # its value, not the model, stands behind it
            value, until = self.words[at + 1].text, at + 2
        typed = self._typed(at, until)
        shown: Json = self.clean(value) if equals or until > at + 1 else None
        if shown and is_secret_name(name):
            typed, shown = f"{name} {BLANK}", BLANK
        if could is not None:
            self._problem("ambiguous", name, f"{name} could be {', '.join(could)}", "write the option in full")
            return Given(name, typed, shown, "invalid")
        assert found is not None  # noqa: S101
        taken = TAKEN_BY_LLM.get(name) if self.entrypoint == "llm" else None
        if taken is not None and between(self.rules.version, *taken):
            self.problems.append(warn("deprecated", name, f"{name} is taken without effect", found.fix))
            return Given(name, typed, shown, "deprecated", None, found.message)
        self._problem(found.code, self.clean(name), found.message, found.fix)
        return Given(self.clean(name), typed, shown, found.status, found.did_you_mean)

    def _stray(self, at: int) -> None:
        text = self.words[at].text
        before = self.words[at - 1].text if at else ""
        spec = self.flags.by_option(before)
        if spec is not None and not spec.takes_value and text.lower() in _YES | _NO:
            off = next((o for o in spec.option_strings if o in spec.negatives), None)
            write = spec.flag if text.lower() in _YES else off or f"no {spec.flag}"
            self._problem("invalid-value", spec.flag, f"{before} takes no value, but {text!r} follows it", f"write {write}")
        else:
            self._problem("stray-word", None, f"nothing takes the word {self.clean(text[:80])!r}", "quote it, or put it behind its option")

    def _mark_overridden(self) -> None:
        """Options given again later are marked: the last one wins, and dotted options come last."""
        last: dict[str, int] = {}
        told: set[str] = set()
        for i, (at, reading) in enumerate(self.readings):
            spec = reading.spec
            if spec is None or reading.status == "invalid" or spec.action == "append":
                continue
            before = last.get(spec.dest)
            last[spec.dest] = i
            if before is None:
                continue
            place, old = self.readings[before]
            note = "the command line wins over the --config file" if place < 0 <= at else "given again later: the last one wins"
            dotted = reading.note.startswith("the dotted")
            if not dotted and place >= 0 and spec.dest not in told and spec.dest != "config" and old.value != reading.value:
                told.add(spec.dest)
                message = f"{spec.flag} is given twice: {_short(reading.value)} wins over {_short(old.value)}"
                self.problems.append(warn("given-twice", spec.flag, message, "keep one of them"))
            note = reading.note if dotted and at < place else note
            lost = Given(old.flag, old.given_as, old.value, old.status, old.did_you_mean, note, old.spec, True)
            self.readings[before] = place, lost


@lru_cache(maxsize=4096)
def _status(flag: str, deprecated: bool, version: str) -> tuple[FlagStatus, str]:
    """Whether this version calls the option deprecated, and what to use instead."""
    past = history(flag)
    since = None if past is None else past.deprecated_in
    if not deprecated and (since is None or number(since) > number(version)):
        return "ok", ""
    instead = "" if past is None or past.replaced_by is None else f"use {past.replaced_by}"
    return "deprecated", "; ".join(part for part in (instead, "" if past is None else past.note) if part)


def _known_keys(value: dict[str, Json], name: str, version: str) -> tuple[dict[str, Json], str]:
    """Without the keys the class does not have and, in old releases, does not mind."""
    cls = config_class(name, version)
    unknown = [] if cls is None else [key for key in value if key not in cls.fields]
    if not unknown:
        return value, ""
    kept = {key: item for key, item in value.items() if key not in unknown}
    return kept, f"{', '.join(unknown)[:120]} is not a field of {name}; this release ignores it without a word"


def _short(value: Json) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _clean(text: str) -> str:
    """Secrets blanked, control characters out."""
    return _printable(redact(text)[0])


def _printable(text: str) -> str:
    """Control characters out."""
    return text if text.isprintable() else "".join(char if char.isprintable() or char == "\n" else " " for char in text)


def _modules(items: Sequence[Json], fields: tuple[str, ...]) -> Json:
    """``name=path`` words, or JSON objects with `fields`, of which name and path are required."""
    out: list[Json] = []
    for item in items:
        if not isinstance(item, str) or not item:
            continue
        name, equals, path = item.partition("=")
        if equals and ("," not in item or not fields):
            out.append({"name": name, "path": path})
            continue
        try:
            read: Json = json.loads(item) if fields else None
        except (ValueError, RecursionError):
            read = None
        if not isinstance(read, dict) or not {"name", "path"} <= read.keys() <= {*fields}:
            raise Refused(f"{item[:60]!r} is neither name=path nor JSON with name and path")
        out.append(read)
    return out
