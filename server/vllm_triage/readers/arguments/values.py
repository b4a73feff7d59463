"""One word of the command line -> the value vLLM's parser makes of it."""

import ast
import json
import re
from collections.abc import Callable

from vllm_triage.domain.base import Json
from vllm_triage.facts.flag_configs import config_class
from vllm_triage.facts.flags import FlagSpec

from .configurations import Unaccepted, read_configuration
from .dialect import Dialect

__all__ = ["Refused", "convert", "human_number"]


class Refused(ValueError):
    """The parser does not accept this word as a value; the text says what it wants."""


_DECIMAL = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_HUMAN = re.compile(r"(\d+(?:\.\d+)?)([kKmMgGtT])")
_OBJECT = re.compile(r"{.*}$")
_LONGEST = 4096
"""No number is longer than this; a longer word is refused unread."""


def human_number(text: str, dialect: Dialect) -> int:
    """``4k`` is 4000, ``4K`` 4096, ``25.6k`` 25600; a plain integer otherwise. Raises ``Refused``."""
    text = text.strip()
    found = _HUMAN.fullmatch(text) if len(text) < _LONGEST else None
    if found and (dialect.tera or found[2] not in "tT"):
        try:
            if found[2] in _DECIMAL:
                return int(float(found[1]) * _DECIMAL[found[2]])
            return int(found[1]) * _BINARY[found[2]]
        except OverflowError:
            raise Refused(f"{_shown(text)} is too large") from None
        except ValueError:
            raise Refused(
                f"{text!r}: {found[2]} is binary and takes no decimals; {found[1]}{found[2].lower()} is decimal"
            ) from None
    return _integer(text, "an integer, or one with k, m, g (decimal) or K, M, G (binary)")


def convert(spec: FlagSpec, text: str, dialect: Dialect) -> Json:
    """The value of `text` for the option `spec`, checked against its choices. Raises ``Refused``."""
    if spec.optional and text in ("", "None"):
        value: Json = None
    elif spec.type == "config":
        value = _configuration(spec, text, dialect)
    elif spec.type == "json" and _takes_pairs(spec, dialect) and not _OBJECT.match(text):
        value = _pairs(text, dialect)
    else:
        value = _READERS[spec.type](text, dialect)
    if spec.choices and value not in spec.choices:
        raise Refused(f"{_shown(text)} is not one of {', '.join(str(choice) for choice in spec.choices)}")
    return value


def _takes_pairs(spec: FlagSpec, dialect: Dialect) -> bool:
    """True where the option goes through the engine's own JSON reading, which once took ``a=1,b=2`` (the server's do not)."""
    return dialect.pairs_for_json and not isinstance(spec.default, list) and (spec.optional or dialect.dotted != "none")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _integer(text: str, wanted: str = "an integer") -> int:
    try:
        if len(text) < _LONGEST:
            return int(text)
    except ValueError:
        pass
    raise Refused(f"{_shown(text)} is not {wanted}")


def _number(text: str, _: Dialect) -> float:
    try:
        return float(text)
    except ValueError:
        raise Refused(f"{_shown(text)} is not a number") from None


def _json(text: str, _: Dialect) -> Json:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{_shown(text)} is not JSON ({str(error)[:80]})") from None
    return value


def _human_or_auto(text: str, dialect: Dialect) -> int:
    return -1 if text.strip() == "-1" or text.strip().lower() == "auto" else human_number(text, dialect)


def _object_or_text(text: str, dialect: Dialect) -> Json:
    """A JSON object, or the text itself."""
    stripped = text.strip() if dialect.loose_object else text
    if not (len(stripped) > 1 and stripped[0] == "{" and stripped[-1] == "}"):
        return text
    return _json(text, dialect)


def _pairs(text: str, _: Dialect) -> Json:
    """``image=2,video=1`` (up to 0.9)."""
    out: dict[str, Json] = {}
    for item in text.split(","):
        key, equals, count = (part.lower().strip() for part in item.partition("="))
        if not equals or "=" in count:
            raise Refused(f"{_shown(text)}: each part is KEY=NUMBER")
        if out.setdefault(key, _integer(count)) != int(count):
            raise Refused(f"{_shown(text)}: {key} is given twice")
    return out


_EARLY_CLASSES = {
    "compilation_config": "CompilationConfig", "kv_events_config": "KVEventsConfig", "kv_transfer_config": "KVTransferConfig",
    "override_pooler_config": "PoolerConfig",
}  # fmt: skip
"""The class behind an option, where a release before 0.9.1 did not name it."""


def _configuration(spec: FlagSpec, text: str, dialect: Dialect) -> Json:
    if spec.dest == "compilation_config" and dialect.bare_level and text in {"0", "1", "2", "3"}:
        return {"level": int(text)}
    if spec.dest == "compilation_config" and dialect.python_literal:
        text = _literal(text)
    written = _expand_suffixes(text, dialect) if dialect.dotted_suffixes else text
    name = spec.config or _EARLY_CLASSES.get(spec.dest)
    if name is None or config_class(name, dialect.version) is None:
        value = _json(written, dialect)
        if not isinstance(value, dict):
            raise Refused(f"{_shown(text)} is not a JSON object")
        return value
    try:
        return read_configuration(written, name, dialect.version)
    except Unaccepted as refused:
        raise Refused(str(refused)) from None


def _literal(text: str) -> str:
    """A Python literal as JSON; JSON's own words are no Python."""
    try:
        return json.dumps(ast.literal_eval(text)) if len(text) < _LONGEST else text
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        wants = "; write True, False and None for JSON's true, false and null" if re.search(r"\b(?:true|false|null)\b", text) else ""
        raise Refused(f"{_shown(text)} is not a Python literal, which this version takes here{wants}") from None


_SUFFIXED = re.compile(r'"(?:[^"\\]|\\.)*"|\b\d+(?:\.\d+)?[kKmMgGtT]\b')


def _expand_suffixes(text: str, dialect: Dialect) -> str:
    """JSON with bare numbers such as ``80m`` outside strings written out."""
    return _SUFFIXED.sub(lambda m: m[0] if m[0][0] == '"' else str(human_number(m[0], dialect)), text)


_READERS: dict[str, Callable[[str, Dialect], Json]] = {
    "str": lambda text, _: text,
    "nullable": lambda text, _: None if text in ("", "None") else text,
    "bool": lambda text, _: bool(text),
    "int": lambda text, _: _integer(text),
    "float": _number,
    "json": _json,
    "human": human_number,
    "human_auto": _human_or_auto,
    "dict_or_str": _object_or_text,
    "pairs": lambda text, dialect: _pairs(text, dialect) if text else None,
    "ids": lambda text, _: [int(part) if part.isdigit() else part for part in (p.strip() for p in text.split(","))],
    "backend": lambda text, _: text.lower().replace("-", "_"),
    "reasoning": lambda text, _: "" if text.lower() == "none" else text,
}
