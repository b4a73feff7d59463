"""Values by destination name, as a log or Python holds them, written as the command line that gives them."""

import json
from collections.abc import Mapping
from typing import Any

from ...facts.flags import FlagSpec, table
from .log import Printed

__all__ = ["words_of"]

_NOT_OPTIONS = frozenset({"subparser", "dispatch_function", "config", "model_tag", "model"})


def words_of(
    values: Mapping[str, Any], version: str, *, positional: bool, drop_defaults: bool
) -> tuple[list[str], list[str]]:
    """The words, and what could not be put into words.

    `version` names the options: a destination is spelled as that release spells it, a False by its negative option.
    `positional` puts the model first, as ``vllm serve`` wants it; else it is ``--model``. `drop_defaults` leaves out
    what equals the release's default, for logs that print every value.
    """
    specs = table(version).by_dest
    words: list[str] = []
    unread: list[str] = []
    model = values.get("model_tag") or values.get("model")
    if isinstance(model, str) and not isinstance(model, Printed):
        words += [model] if positional else ["--model", model]
    for dest, value in values.items():
        if dest in _NOT_OPTIONS or value is None:
            continue
        spec = specs.get(dest)
        if drop_defaults and spec is not None and value in (spec.default, _default_text(spec)):
            continue
        if dest == "tokenizer" and value == model:
            continue
        if isinstance(value, Printed):
            unread.append(f"{dest}: {value[:120]} is an object's printed form")
            continue
        words += _option(dest, value, spec)
    return words, unread


def _default_text(spec: FlagSpec) -> Any:
    return str(spec.default).lower() if isinstance(spec.default, str) else spec.default


def _option(dest: str, value: Any, spec: FlagSpec | None) -> list[str]:
    flag = spec.flag if spec is not None and spec.option_strings else "--" + dest.replace("_", "-")
    if isinstance(value, bool) and (spec is None or not spec.takes_value):
        if value:
            positive = (
                [o for o in spec.option_strings if o.startswith("--") and o not in spec.negatives] if spec else []
            )
            return [positive[0] if positive else flag]
        return _off(flag, spec)
    if isinstance(value, Mapping):
        return [flag, json.dumps(value, default=str)]
    if isinstance(value, list | tuple | set):
        items = [item if isinstance(item, str) else json.dumps(item, default=str) for item in value]
        if spec is not None and spec.action == "append":
            return [word for item in items for word in (flag, item)]
        return [flag, *items] if items else []
    return [flag, str(value)]


def _off(flag: str, spec: FlagSpec | None) -> list[str]:
    """False: the option that says so, or nothing where the flag only ever turns on."""
    if spec is None:
        return ["--no-" + flag.removeprefix("--")]
    off = [option for option in spec.option_strings if option in spec.negatives]
    return [next((option for option in off if option.startswith("--no-")), off[0])] if off else []
