"""Plain readers of a shell command, in use only until the readers' own modules land."""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain import Json, Problem
from ..facts.flags import FlagSpec, table


@dataclass(frozen=True, slots=True)
class Launch:
    source: str
    entrypoint: str
    words: tuple[str, ...]
    env: dict[str, str]
    config: Mapping[str, Json] | None
    version: str | None = None
    gpu: str | None = None
    gpu_count: int | None = None
    place: str = ""
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Paste:
    launches: tuple[Launch, ...]
    version: str | None = None
    version_why: str = ""
    gpu: str | None = None
    gpu_count: int | None = None
    gpu_why: str = ""
    unread: tuple[str, ...] = ()
    redacted: int = 0


@dataclass(frozen=True, slots=True)
class Given:
    flag: str
    given_as: str
    value: Json
    status: str
    did_you_mean: str | None
    note: str
    spec: FlagSpec | None


@dataclass(frozen=True, slots=True)
class Arguments:
    values: dict[str, Json]
    given: tuple[Given, ...]
    model: str | None
    problems: tuple[Problem, ...]


def read_launches(text: str) -> Paste:
    words = shlex.split(text.replace("\\\n", " "))
    env = {}
    while words and "=" in words[0] and words[0].split("=")[0].isidentifier():
        key, _, value = words.pop(0).partition("=")
        env[key] = value
    if not words:
        return Paste(())
    if words[0] == "vllm" and words[1:2] == ["serve"]:
        return Paste((Launch("shell", "serve", tuple(words[2:]), env, None),))
    if "vllm.entrypoints.openai.api_server" in words:
        at = words.index("vllm.entrypoints.openai.api_server")
        return Paste((Launch("shell", "api_server", tuple(words[at + 1:]), env, None),))
    if len(words) == 1:
        return Paste((Launch("model-id", "serve", tuple(words), env, None),))
    return Paste(())


def _value(spec: FlagSpec, text: str) -> Any:
    if spec.type in ("int", "human", "human_auto"):
        if text == "auto":
            return -1
        scale = {"k": 10**3, "m": 10**6, "g": 10**9, "K": 2**10, "M": 2**20, "G": 2**30}
        return int(text[:-1]) * scale[text[-1]] if text[-1:] in scale else int(text)
    if spec.type == "float":
        return float(text)
    if spec.type in ("json", "config", "dict_or_str") and text.startswith("{"):
        return json.loads(text)
    return text


def read_arguments(
    words: Sequence[str], version: str, entrypoint: str = "serve", config: Mapping[str, Json] | None = None
) -> Arguments:
    flags = table(version)
    values: dict[str, Json] = {}
    given: list[Given] = []
    problems: list[Problem] = []
    model = None
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            model = model or word
            continue
        name, eq, value = word.partition("=")
        spec = flags.by_option(name)
        if spec is None:
            problems.append(Problem(severity="fatal", flag=name, message=f"unrecognized: {name}", code="unknown-flag"))
            given.append(Given(name, word, None, "unknown", None, "", None))
            continue
        read: Any
        try:
            if not spec.takes_value:
                read = name.replace("_", "-") not in spec.negatives
            elif spec.nargs == "+":
                read = []
                while rest and not rest[0].startswith("-"):
                    read.append(_value(spec, rest.pop(0)))
            else:
                read = _value(spec, value if eq else rest.pop(0))
        except (ValueError, IndexError, KeyError):
            problems.append(Problem(severity="fatal", flag=spec.flag, message="invalid value", code="invalid-value"))
            continue
        if spec.dest == "model":
            model = str(read)
        else:
            values[spec.dest] = read
        given.append(Given(spec.flag, word, read, "ok", None, "", spec))
    return Arguments(values, tuple(given), model, tuple(problems))
