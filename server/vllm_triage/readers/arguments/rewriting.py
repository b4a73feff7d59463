"""What ``FlexibleArgumentParser`` does to the words before ``argparse`` sees them.

In order: ``--model`` moves to the front, ``--config`` is expanded, underscores in names become dashes, ``-O3`` is spelled out,
and dotted options (``--x.key value``) are gathered into one JSON word per option **at the end**, where it replaces an earlier
``--x '{...}'`` (vLLM 0.33 argparse_utils.py, ``parse_args``). ``Dialect`` says what differs by release.
"""

import json
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from vllm_triage.domain.base import Json
from vllm_triage.domain.deployment import Problem
from vllm_triage.facts.flags import FlagSpec

from .dialect import Dialect
from .values import Refused, human_number

__all__ = ["Rewritten", "Word", "fatal", "rewrite", "warn"]


class Word(NamedTuple):
    """A word for ``argparse``, the word or words it was typed as, and where they stood (-1: in the ``--config`` file)."""

    text: str
    typed: str
    at: int


@dataclass(slots=True, eq=False, repr=False)
class Rewritten:
    """The words ``argparse`` gets, and what was found on the way."""

    words: list[Word]
    problems: list[Problem] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    """Option -> what the rewriting did with it."""
    config: Word | None = None
    """``--config FILE``, which ``argparse`` never sees."""


def warn(code: str, flag: str | None, message: str, fix: str = "") -> Problem:
    """Accepted by the parser, and not what it looks like."""
    return Problem(severity="warning", flag=flag, message=message, fix=fix, code=code)


def fatal(code: str, flag: str | None, message: str, fix: str = "") -> Problem:
    """A refusal by the parser."""
    return Problem(severity="fatal", flag=flag, message=message, fix=fix, code=code)


def rewrite(
    words: Sequence[str], dialect: Dialect, options: Mapping[str, FlagSpec], *, serve: bool, config: Mapping[str, Json] | None
) -> Rewritten:
    """The words as ``argparse`` gets them. `serve` is False for ``api_server``, which has no subcommand; `options` are the
    parser's."""
    out = Rewritten([Word(text, text, at) for at, text in enumerate(words)])
    if serve:
        _move_model(out, dialect)
        _require_model_first(out, dialect)
    _expand_config(out, dialect, () if serve else options, serve, config)
    out.words = _spell_out(out.words, dialect)
    if dialect.dotted != "none":
        _gather_dotted(out, dialect, options)
    return out


def _move_model(out: Rewritten, dialect: Dialect) -> None:
    """``--model x`` goes to the front, where the positional model stands; or is refused."""
    if dialect.model_option == "plain":
        return
    words = out.words
    filled = dialect.model_equals == "moved_if_filled"
    at = -1
    for i, word in enumerate(words):
        text = word.text
        if text == "--model" or (
            text.startswith("--model=") and dialect.model_equals != "plain" and not (filled and text == "--model=")
        ):
            at = i
            break
    if at < 0:
        return
    if dialect.model_option == "refused":
        out.problems.append(
            fatal("model-option", "--model", "`vllm serve` of this version refuses --model", "write `vllm serve MODEL ...`")
        )
        out.words = [*words[:at], *words[at + 1 :]]
        return
    text, typed, place = words[at]
    rest = at + 1
    if text == "--model":
        if rest == len(words):
            out.problems.append(fatal("missing-value", "--model", "--model needs a value", "write `vllm serve MODEL ...`"))
            out.words = words[:at]
            return
        text, typed, rest = words[rest].text, f"{typed} {words[rest].typed}", at + 2
    out.notes["--model"] = "under `vllm serve` the model belongs in first place; --model is still taken, with a warning"
    out.words = [Word(text.removeprefix("--model=") if rest == at + 1 else text, typed, place), *words[:at], *words[rest:]]


def _require_model_first(out: Rewritten, dialect: Dialect) -> None:
    words = out.words
    if not dialect.served_name_needs_model or not words or not words[0].text.startswith("-"):
        return
    if any(re.match(r"--config(=.+|$)", w.text) for w in words):
        return
    if any(re.match(r"--served[-_]model[-_]name(=.+|$)", w.text) for w in words):
        out.problems.append(
            fatal("model-not-first", "--served-model-name", "with --served-model-name the model must come first",
                  "write `vllm serve MODEL --served-model-name NAME ...`")
        )  # fmt: skip


def _expand_config(
    out: Rewritten, dialect: Dialect, options: Container[str], serve: bool, config: Mapping[str, Json] | None
) -> None:
    """The two words ``--config FILE`` give way to what the file says, in front, so that the command line wins."""
    words = out.words
    places = [i for i, w in enumerate(words) if w.text == "--config"]
    if any(word.text.startswith("--config=") for word in words):
        message = "written as --config=FILE the file is never read"
        out.problems.append(warn("config-ignored", "--config", message, "write --config FILE, as two words"))
    if not places:
        return
    at = places[0]
    if len(places) > 1:
        out.problems.append(fatal("config-twice", "--config", "--config may be given once only", "merge the files"))
        drop = {i + step for i in places[1:] for step in (0, 1)}
        words = [w for i, w in enumerate(words) if i not in drop]
    if at == len(words) - 1:
        out.problems.append(fatal("missing-value", "--config", "--config needs a file", "write --config FILE.yaml"))
        out.words = words[:at]
        return
    first = bool(words) and not words[0].text.startswith("-")
    file = words[at + 1].text
    if file.split(".")[-1] not in ("yaml", "yml"):
        out.problems.append(fatal("config-extension", "--config", f"--config takes a .yaml or .yml file, not {file[:80]!r}"))
    inserted = [] if config is None else _config_words(config, out, dialect, options)
    if serve and dialect.config_needs_place:
        first = True
        if at == 0:
            out.problems.append(fatal("no-model", "--config", "the model must come first", "write `vllm serve MODEL --config FILE.yaml`"))
    elif serve and not first and config is not None and not any(w.text == "--model" for w in inserted):
        message = "with --config the model must come first, or stand in the file as `model`"
        out.problems.append(fatal("no-model", "--config", message, "write `vllm serve MODEL --config FILE.yaml`"))
    if config is None:
        message = f"the content of {file[:80]} was not given, so what it sets is not known"
        out.problems.append(warn("config-not-given", "--config", message, "paste the file alongside"))
    out.config = Word(file, f"{words[at].typed} {words[at + 1].typed}", words[at].at)
    if not serve and not dialect.config_without_command:
        first = True  # the first word, option or not, is taken for a subcommand
    rest = words[:at] + words[at + 2 :]
    out.words = [*rest[: int(first)], *inserted, *rest[int(first) :]]


def _config_words(config: Mapping[str, Json], out: Rewritten, dialect: Dialect, options: Container[str]) -> list[Word]:
    """The file's entries as words. `options` are those of the parser that reads the file: none under ``vllm serve``, whose top
    parser knows only its subcommands."""
    words: list[Word] = []
    for key, value in config.items():
        option = f"--{key}"
        words_of_value: list[str] | None
        if isinstance(value, bool):
            words_of_value = [] if value else None
            if not value and dialect.config_no_key and f"--no-{key}" in options:
                option, words_of_value = f"--no-{key}", []
            if words_of_value is None:
                message = f"`{key}: false` in the --config file is dropped without a word"
                flag = f"--{key}".replace("_", "-")
                out.problems.append(warn("config-false-dropped", flag, message, f"write `no-{key}: true`"))
        elif isinstance(value, list) and dialect.config_list:
            words_of_value = [str(item) for item in value] or None
        elif isinstance(value, dict) and dialect.config_dict:
            words_of_value = [json.dumps(value)]
        else:
            words_of_value = [str(value)]
        if words_of_value is not None:
            typed = f"{key}: {value if isinstance(value, str) else json.dumps(value)}"
            words += [Word(option, typed, -1), *(Word(text, "", -1) for text in words_of_value)]
    return words


def _dashes(name: str, whole: bool) -> str:
    if "_" not in name:
        return name
    if whole:
        return name.replace("_", "-")
    head, dot, tail = name.partition(".")
    return head.replace("_", "-") + dot + tail


def _spell_out(words: list[Word], dialect: Dialect) -> list[Word]:
    """Underscores in names to dashes, ``-O3`` to what it stands for."""
    out: list[Word] = []
    for i, word in enumerate(words):
        text = word.text
        if not text.startswith("-"):
            out.append(word)
        elif text.startswith("--help=") and dialect.help_search:
            out.append(Word("--help", word.typed, word.at))
        elif text.startswith("--"):
            name, equals, value = text.partition("=")
            spelled = _dashes(name, dialect.whole_name_dashes)
            out.append(word if spelled == name else Word(spelled + equals + value, word.typed, word.at))
        elif text.startswith("-O") and dialect.optimization:
            out += _optimization(word, words[i + 1].text if i + 1 < len(words) else "", dialect)
        else:
            out.append(word)
    return out


def _optimization(word: Word, following: str, dialect: Dialect) -> list[Word]:
    text, typed, at = word
    option = dialect.optimization
    own = option == "--optimization-level"
    if text == "-O":
        return [Word(option, typed, at)] if following in {"0", "1", "2", "3"} else [word]
    if text[2] == "." and dialect.dotted_o_is_cc:
        return [Word("-cc" + text[2:], typed, at)]
    if text[2] == "." and not own:
        return [word]
    level = text[3:] if text[2] == "=" else text[2:]
    return [Word(option, typed, at), Word(level, "", at)] if own else [Word(f"{option}={level}", typed, at)]


def _gather_dotted(out: Rewritten, dialect: Dialect, options: Mapping[str, FlagSpec]) -> None:
    """``--x.a 1 --x.b.c 2`` becomes ``--x '{"a": 1, "b": {"c": 2}}'`` at the end of the line."""
    kept: list[Word] = []
    gathered: dict[str, dict[str, Json]] = {}
    typed: dict[str, Word] = {}
    words = iter(out.words)
    lead = "-" if dialect.dotted == "full" else "--"
    for word in words:
        name, equals, value = word.text.partition("=")
        if not word.text.startswith(lead) or "." not in name:
            kept.append(word)
            continue
        as_typed = word.typed
        if not equals:
            after = next(words, None)
            if after is None:
                out.problems.append(fatal("missing-value", name, f"{name} needs a value"))
                continue
            value = after.text
            as_typed = f"{word.typed} {after.typed}".strip()
        if name.endswith("+") and dialect.dotted == "full":
            name = name[:-1]
            value = json.dumps(value.split(","))
        key, *path = name.split(".")
        try:
            read = _dotted_value(value, dialect)
        except Refused as refused:
            out.problems.append(fatal("invalid-value", key, f"{name}: {refused}"))
            continue
        _merge(gathered.setdefault(key, {}), path, read, dialect.dotted == "full")
        before = typed.get(key)
        typed[key] = Word("", as_typed, word.at) if before is None else Word("", f"{before.typed} {as_typed}", before.at)
    if not gathered:
        return
    plain = {options[name].dest for w in kept if (name := w.text.partition("=")[0]) in options}
    for key, merged in gathered.items():
        if key in options and options[key].dest in plain:
            message = f"the dotted {key}.x options replace the plain {key} whole; the two are not merged"
            out.notes[key] = message
            out.problems.append(warn("dotted-replaces-json", key, message, f"give everything in one {key}, or everything dotted"))
        try:
            written = json.dumps(merged)
        except RecursionError:
            out.problems.append(fatal("invalid-value", key[:80], f"{key[:80]}: the keys are nested too deep"))
            continue
        kept += [Word(key, typed[key].typed, typed[key].at), Word(written, "", typed[key].at)]
    out.words = kept


def _dotted_value(text: str, dialect: Dialect) -> Json:
    if dialect.dotted == "text":
        return text
    try:
        value: Json = json.loads(text)
        return value
    except json.JSONDecodeError:
        pass
    except (ValueError, RecursionError):
        raise Refused(f"{text[:60]!r} cannot be read") from None
    if dialect.dotted_suffixes:
        try:
            return human_number(text, dialect)
        except Refused:
            pass
    return text


def _merge(target: dict[str, Json], path: list[str], value: Json, grow: bool) -> None:
    """Set `value` at `path`; objects merge, lists grow, anything else is replaced."""
    *above, last = path
    for key in above:
        inner = target.get(key)
        if not isinstance(inner, dict):
            inner = target[key] = {}
        target = inner
    old = target.get(last)
    if isinstance(old, list) and isinstance(value, list) and grow:
        old += value
    elif isinstance(old, dict) and isinstance(value, dict):
        for key, item in value.items():
            _merge(old, [key], item, grow)
    else:
        target[last] = value
