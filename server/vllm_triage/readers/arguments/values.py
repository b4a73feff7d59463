"""One word of the command line -> the value vLLM's parser makes of it."""

import json
import re

from vllm_triage.domain.base import Json
from vllm_triage.facts.flags import FlagSpec

from .dialect import Dialect

__all__ = ["Refused", "convert", "expand_suffixes", "human_number"]


class Refused(ValueError):
    """The parser does not accept this word as a value; the text says what it wants."""


_DECIMAL = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_HUMAN = re.compile(r"(\d+(?:\.\d+)?)([kKmMgGtT])")


def human_number(text: str, dialect: Dialect) -> int:
    """``4k`` is 4000, ``4K`` 4096, ``25.6k`` 25600; a plain integer otherwise. Raises ``Refused``."""
    text = text.strip()
    found = _HUMAN.fullmatch(text)
    if found and (dialect.tera or found[2] not in "tT"):
        if found[2] in _DECIMAL:
            return int(float(found[1]) * _DECIMAL[found[2]])
        try:
            return int(found[1]) * _BINARY[found[2]]
        except ValueError:
            raise Refused(f"{text!r}: no decimals with {found[2]} (binary); {found[1]}{found[2].lower()} is decimal") from None
    return _integer(text, "an integer, or one with k, K, m, M, g, G (such as 8k = 8000, 8K = 8192)")


def expand_suffixes(text: str, dialect: Dialect) -> str:
    """JSON with bare numbers such as ``80m`` outside strings written out."""
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"\b\d+(?:\.\d+)?[kKmMgGtT]\b", lambda m: str(human_number(m.group(), dialect)), parts[i])
    return "".join(parts)


def convert(spec: FlagSpec, text: str, dialect: Dialect) -> Json:
    """The value of `text` for the option `spec`, checked against its choices. Raises ``Refused``."""
    if spec.optional and text in ("", "None"):
        value: Json = None
    else:
        value = _READERS[spec.type](text, dialect)
    if spec.choices and value not in spec.choices:
        raise Refused(f"{text!r} is not one of {', '.join(str(choice) for choice in spec.choices)}")
    return value


def _integer(text: str, wanted: str = "an integer") -> int:
    try:
        return int(text)
    except ValueError:
        raise Refused(f"{text[:60]!r} is not {wanted}") from None


def _number(text: str, _: Dialect) -> float:
    try:
        return float(text)
    except ValueError:
        raise Refused(f"{text[:60]!r} is not a number") from None


def _json(text: str, _: Dialect) -> Json:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{text[:60]!r} is not JSON ({error})") from None
    return value


def _human_or_auto(text: str, dialect: Dialect) -> int:
    return -1 if text.strip() == "-1" or text.strip().lower() == "auto" else human_number(text, dialect)


def _object_or_text(text: str, dialect: Dialect) -> Json:
    if not re.match(r"(?s)^\s*{.*}\s*$" if dialect.loose_object else r"^{.*}$", text):
        return text
    return _json(text, dialect)


def _configuration(text: str, dialect: Dialect) -> Json:
    value = _json(expand_suffixes(text, dialect) if dialect.dotted_suffixes else text, dialect)
    if not isinstance(value, dict):
        raise Refused(f"{text[:60]!r} is not a JSON object")
    return value


_READERS = {
    "str": lambda text, _: text,
    "bool": lambda text, _: bool(text),
    "int": lambda text, _: _integer(text),
    "float": _number,
    "json": _json,
    "human": human_number,
    "human_auto": _human_or_auto,
    "dict_or_str": _object_or_text,
    "config": _configuration,
    "backend": lambda text, _: text.lower().replace("-", "_"),
}
