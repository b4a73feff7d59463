"""What ``FlexibleArgumentParser`` does to the words before ``argparse`` sees them.

In order: ``--model`` moves to the front, ``--config`` is expanded, underscores in names become dashes, ``-O3`` is spelled out,
and dotted options (``--x.key value``) are gathered into one JSON word per option **at the end**, where it replaces an earlier
``--x '{...}'`` (vLLM 0.33 argparse_utils.py, ``parse_args``).
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vllm_triage.domain.base import Json
from vllm_triage.domain.deployment import Problem

from .dialect import Dialect
from .values import Refused, human_number

__all__ = ["Rewritten", "Word", "rewrite"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word for ``argparse`` and the words it was typed as."""

    text: str
    typed: str
    from_config: bool = False


@dataclass(slots=True)
class Rewritten:
    """The words ``argparse`` gets, and what was found on the way."""

    words: list[Word]
    problems: list[Problem] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    """Option -> what the rewriting did with it."""


def rewrite(words: Sequence[str], dialect: Dialect, *, serve: bool, config: Mapping[str, Json] | None) -> Rewritten:
    """The words as ``argparse`` gets them. `serve` is False for ``api_server``, which has no subcommand."""
    out = Rewritten([Word(text, text) for text in words])
    if serve:
        _move_model(out, dialect)
    _expand_config(out, dialect, serve, config)
    out.words = [new for i, word in enumerate(out.words) for new in _spell_out(word, out.words[i + 1 : i + 2], dialect)]
    _gather_dotted(out, dialect)
    return out


def _fatal(code: str, message: str, fix: str = "", flag: str | None = None) -> Problem:
    return Problem(severity="fatal", flag=flag, message=message, fix=fix, code=code)


def _move_model(out: Rewritten, dialect: Dialect) -> None:
    words = out.words
    equals = {"plain": r"\Z(?!\Z)", "moved": r"--model=", "moved_if_filled": r"--model=."}[dialect.model_equals]
    at = next((i for i, w in enumerate(words) if w.text == "--model" or re.match(equals, w.text)), None)
    if at is not None and words[at].text == "--model" and dialect.model_option == "refused":
        out.problems.append(_fatal("model-option", "`vllm serve` of this version refuses --model", "vllm serve MODEL ...", "--model"))
        del words[at : at + 1]
        return
    if at is not None:
        if words[at].text == "--model":
            if at + 1 == len(words):
                out.problems.append(_fatal("missing-value", "--model needs a value", "vllm serve MODEL ...", "--model"))
                del words[at]
                return
            typed, value, rest = f"--model {words[at + 1].typed}", words[at + 1].text, at + 2
        else:
            typed, value, rest = words[at].typed, words[at].text.removeprefix("--model="), at + 1
        out.notes["--model"] = "under `vllm serve` the model belongs in first place; --model still works, with a warning"
        words[:] = [Word(value, typed), *words[:at], *words[rest:]]
    if not (dialect.served_name_needs_model and words and words[0].text.startswith("-")):
        return
    if any(re.match(r"--config(=.+|$)", w.text) for w in words):
        return
    if any(re.match(r"--served[-_]model[-_]name(=.+|$)", w.text) for w in words):
        message = "with --served-model-name the model must come first: `vllm serve MODEL --served-model-name NAME`"
        out.problems.append(_fatal("model-not-first", message, "put the model right after `vllm serve`", "--served-model-name"))


def _expand_config(out: Rewritten, dialect: Dialect, serve: bool, config: Mapping[str, Json] | None) -> None:
    words = out.words
    places = [i for i, w in enumerate(words) if w.text == "--config"]
    if not places:
        return
    at = places[0]
    if len(places) > 1:
        out.problems.append(_fatal("config-twice", "only one --config is accepted", "merge the files into one", "--config"))
        words[:] = [w for i, w in enumerate(words) if not any(p <= i <= p + 1 for p in places[1:])]
    if at == len(words) - 1:
        out.problems.append(_fatal("missing-value", "--config needs a file", "--config FILE.yaml", "--config"))
        del words[at]
        return
    file = words[at + 1].text
    if file.split(".")[-1] not in ("yaml", "yml"):
        out.problems.append(_fatal("config-extension", f"--config takes a .yaml or .yml file, not {file!r}", "", "--config"))
    inserted = [] if config is None else _config_words(config, dialect, serve)
    rest = words[:at] + words[at + 2 :]
    first = serve and bool(words) and not words[0].text.startswith("-")
    if serve and not first and config is not None and not any(w.text == "--model" for w in inserted):
        out.problems.append(_fatal("no-model", "with --config, the model must come first or stand in the file", "", "--config"))
    if not serve and not dialect.config_without_command:
        first = True
    out.words = rest[: int(first)] + inserted + rest[int(first) :]


def _config_words(config: Mapping[str, Json], dialect: Dialect, serve: bool) -> list[Word]:
    words: list[Word] = []
    for key, value in config.items():
        typed = f"{key}: {value if isinstance(value, str) else json.dumps(value)}"
        option = Word("--" + key, typed, from_config=True)
        if isinstance(value, bool):
            if value:
                words.append(option)
            elif dialect.config_no_key and not serve:
                words.append(Word("--no-" + key, typed, from_config=True))
        elif isinstance(value, list) and dialect.config_list:
            words += [option, *(Word(str(item), "", from_config=True) for item in value)] if value else []
        elif isinstance(value, dict) and dialect.config_dict:
            words += [option, Word(json.dumps(value), "", from_config=True)]
        else:
            words += [option, Word(str(value), "", from_config=True)]
    return words


def _dashes(name: str) -> str:
    head, dot, tail = name.partition(".")
    return head.replace("_", "-") + dot + tail


def _spell_out(word: Word, following: list[Word], dialect: Dialect) -> list[Word]:
    text = word.text
    if not text.startswith("-") or len(text) < 2:
        return [word]
    if text.startswith("--help=") and dialect.help_search:
        return [Word("--help", word.typed)]
    if text.startswith("--"):
        name, equals, value = text.partition("=")
        return [Word(_dashes(name) + equals + value, word.typed, word.from_config)]
    if not text.startswith("-O"):
        return [word]
    own = dialect.optimization == "--optimization-level"
    if text == "-O":
        if following and following[0].text in {"0", "1", "2", "3"}:
            return [Word(dialect.optimization, word.typed)]
    elif text[2] == "." and dialect.dotted_o_is_cc:
        return [Word("-cc" + text[2:], word.typed)]
    elif text[2] != "." or (own and not dialect.dotted_o_is_cc):
        level = text[3:] if text[2] == "=" else text[2:]
        return [Word(dialect.optimization, word.typed), Word(level, "")] if own else [Word(f"{dialect.optimization}={level}", word.typed)]
    return [word]


def _gather_dotted(out: Rewritten, dialect: Dialect) -> None:
    kept: list[Word] = []
    gathered: dict[str, dict[str, Json]] = {}
    typed: dict[str, list[str]] = {}
    words = iter(out.words)
    for word in words:
        text = word.text
        if not (text.startswith("-") and "." in text) or (text.startswith("--") and "." not in text):
            kept.append(word)
            continue
        name, equals, value = text.partition("=")
        as_typed = word.typed
        if equals and "." not in name:
            kept.append(word)
            continue
        if not equals:
            after = next(words, None)
            if after is None:
                out.problems.append(_fatal("missing-value", f"{text} needs a value", f"{text} VALUE", text))
                continue
            value = after.text
            as_typed = f"{word.typed} {after.typed}".strip()
        if name.endswith("+"):
            name = name[:-1]
            value = json.dumps(value.split(","))
        key, *path = name.split(".")
        try:
            read = _dotted_value(value, dialect)
        except Refused as refused:
            out.problems.append(_fatal("invalid-value", f"{name}: {refused}", "", key))
            continue
        _merge(gathered.setdefault(key, {}), path, read)
        typed.setdefault(key, []).append(as_typed)
    given = {w.text.partition("=")[0] for w in kept}
    for key, merged in gathered.items():
        if key in given:
            out.notes[key] = f"the dotted {key}.x options replace the plain {key} JSON whole; they are not merged"
        kept += [Word(key, " ".join(typed[key])), Word(json.dumps(merged), "")]
    out.words = kept


def _dotted_value(text: str, dialect: Dialect) -> Json:
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


def _merge(target: dict[str, Json], path: list[str], value: Json) -> None:
    """Set `value` at `path`; lists grow, anything else is replaced."""
    *above, last = path
    for key in above:
        inner = target.get(key)
        if not isinstance(inner, dict):
            inner = target[key] = {}
        target = inner
    old = target.get(last)
    if isinstance(old, list) and isinstance(value, list):
        old += value
    elif isinstance(old, dict) and isinstance(value, dict):
        for key, item in value.items():
            _merge(old, [key], item)
    else:
        target[last] = value
