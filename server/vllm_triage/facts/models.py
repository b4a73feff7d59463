"""The model catalogue: trimmed ``config.json`` of models people serve, found by any name they are called.

The catalogue holds configs in Hugging Face's own vocabulary, so the reader of pasted configs reads these too.
A quantized re-release that is not listed (``org/Name-AWQ``, ``Name-FP8-dynamic``) is found as its base model with a
``quantization_config`` read from the name, and says so in `unverified`.
"""

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .rows import line

__all__ = ["ModelFacts", "find", "ids", "suggest"]

_DATA = Path(__file__).with_name("data") / "models.json"

_ORDINARY = re.compile(r"-(?:hf|instruct|it|chat|base|thinking|bf16|2507|2512|preview)$")
_PREFIX = re.compile(r"^(?:meta-|nvidia-)")

_NVFP4: dict[str, Any] = {"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"}
"""What ModelOpt writes, whose NVFP4 checkpoints carry an FP8 scheme for the KV cache in fifteen of the seventeen
listed; LLM Compressor's do not."""

_COMPRESSOR = re.compile(r"^(?:redhatai|neuralmagic|nm-testing|cyankiwi)/", re.I)
"""Publishers of checkpoints made with LLM Compressor."""

_QUANTIZED: tuple[tuple[str, dict[str, Any]], ...] = (
    (r"[-_.](?:fp8(?:-dynamic|-static|-block|-kv)?|float8)$", {"quant_method": "fp8"}),
    (r"[-_.](?:nvfp4|fp4)(?:a16)?$", _NVFP4),
    (r"[-_.]mxfp4$", {"quant_method": "mxfp4"}),
    (r"[-_.]mxfp8$", {"quant_method": "modelopt", "quant_algo": "MXFP8"}),
    (r"[-_.]w4a8$", {"quant_method": "compressed-tensors", "bits": 4, "group_size": 128}),
    (r"[-_.](?:awq)(?:-int4|-4bit)?$", {"quant_method": "awq", "bits": 4, "group_size": 128}),
    (r"[-_.]gptq-int8$", {"quant_method": "gptq", "bits": 8, "group_size": 128}),
    (r"[-_.]gptq(?:-int4|-4bit|-marlin)?$", {"quant_method": "gptq", "bits": 4, "group_size": 128}),
    (r"[-_.](?:quantized\.)?w4a16(?:-g128)?$", {"quant_method": "compressed-tensors", "bits": 4, "group_size": 128}),
    (r"[-_.](?:quantized\.)?(?:w8a8|int8|w8a16)$", {"quant_method": "compressed-tensors", "bits": 8}),
    (r"[-_.](?:unsloth-)?bnb-4bit$", {"quant_method": "bitsandbytes", "load_in_4bit": True}),
    (r"[-_.](?:int4|4bit)$", {"quant_method": "gptq", "bits": 4, "group_size": 128}),
)
"""What the end of a re-release's name says of its weights; read only when the name itself is not listed."""

_RETYPED = frozenset({"awq", "gptq"})
"""Methods whose tools store the other tensors in a type of their own choice: the base model's does not hold."""

_IN_BLOCKS = re.compile(r"qwen/qwen3.*-fp8$", re.I)
"""Releases whose publisher scales 8-bit weights in blocks of 128 x 128 throughout."""


class ModelFacts(NamedTuple):
    """One model. `config` is its config.json, trimmed; parameter counts are whole numbers, None where not recorded."""

    id: str
    aliases: tuple[str, ...]
    config: Mapping[str, Any]
    params_total: int | None
    params_active: int | None
    sources: tuple[str, ...]
    unverified: tuple[str, ...]
    """What of this entry was not confirmed: names of fields, or a sentence."""


@functools.cache
def _catalogue() -> dict[str, ModelFacts]:
    """Every entry by its id."""
    raw = json.loads(_DATA.read_text(encoding="utf-8"))["models"]
    return {row["id"]: _facts(row) for row in raw}


def _facts(row: dict[str, Any]) -> ModelFacts:
    return ModelFacts(
        id=row["id"],
        aliases=tuple(row["aliases"]),
        config=row["config"],
        params_total=row.get("params_total"),
        params_active=row.get("params_active"),
        sources=tuple(row["sources"]),
        unverified=tuple(row.get("unverified", ())),
    )


@functools.lru_cache(maxsize=256)
def _listed(name: str) -> ModelFacts | None:
    """The entry whose id, else one of whose aliases, is spelt exactly so: found without reading the others."""
    spelt = json.dumps(name, ensure_ascii=False)
    row = line(_DATA.name, f'\n{{"id":{spelt},') or line(_DATA.name, spelt)
    return _facts(row) if row is not None and name in (row["id"], *row["aliases"]) else None


@functools.cache
def _names() -> dict[str, ModelFacts]:
    """Every name an entry answers to, lower case; earlier and more exact names win."""
    names: dict[str, ModelFacts] = {}
    entries = _catalogue().values()
    for facts in entries:
        names.setdefault(facts.id.lower(), facts)
    for facts in entries:
        for alias in facts.aliases:
            names.setdefault(alias.lower(), facts)
    for facts in entries:
        names.setdefault(_basename(facts.id), facts)
    for facts in entries:
        for name in (facts.id, *facts.aliases):
            names.setdefault(_plain(name), facts)
    return names


def _basename(name: str) -> str:
    """The last path part, lower case."""
    return name.lower().rstrip("/").rsplit("/", 1)[-1]


def _plain(name: str) -> str:
    """A name without its organisation and without the suffixes that do not change a model's shape."""
    plain = _PREFIX.sub("", _basename(name))
    while (shorter := _ORDINARY.sub("", plain)) != plain:
        plain = shorter
    return plain


def find(name: str) -> ModelFacts | None:
    """The model known by `name`: a hub id, a local folder's name, an alias; None when nothing is known of it.

    >>> find("meta-llama/Llama-3.1-8B-Instruct").config["num_key_value_heads"]
    8
    """
    name = name.strip()
    if not name:
        return None
    if (listed := _listed(name)) is not None:  # spelt as the hub does: what the others are called does not matter
        return listed
    names = _names()
    for key in (name.lower(), _basename(name), _plain(name)):
        if key in names:
            return names[key]
    return _find_quantized(name) or _find_dated(name)


def _find_quantized(name: str) -> ModelFacts | None:
    """A re-release named after a listed model: its config with the quantization its name tells."""
    base = re.sub(r"[-_](?:mtp|qad)$", "", _basename(name))  # with its draft layers, trained for its quantization
    for pattern, quantization in _QUANTIZED:
        shorter = re.sub(pattern, "", base)
        if shorter == base:
            continue
        found = find(shorter)
        if found is None:
            return None
        blocks = {"weight_block_size": [128, 128]} if _IN_BLOCKS.match(name) else {}
        told = {**quantization, **blocks}
        if quantization is _NVFP4 and _COMPRESSOR.match(name):
            del told["kv_cache_quant_algo"]
        config = {**found.config, "quantization_config": told}
        if told["quant_method"] in _RETYPED:
            config = _untyped(config)
        return found._replace(
            id=name, config=config, unverified=(*found.unverified, "quantization: read from the name")
        )
    return None


def _untyped(config: Mapping[str, Any]) -> dict[str, Any]:
    """A config that names no dtype, at the top and in its text part."""
    kept = {key: held for key, held in config.items() if key not in ("dtype", "torch_dtype")}
    if isinstance(kept.get("text_config"), Mapping):
        kept["text_config"] = _untyped(kept["text_config"])
    return kept


def _find_dated(name: str) -> ModelFacts | None:
    """A later release of a listed model, told by the month and day at the end of its name alone."""
    shorter = re.sub(r"-(?:\d{4}|\d{6}|\d{8})$", "", _basename(name))
    found = find(shorter) if shorter != _basename(name) else None
    if found is None:
        return None
    return found._replace(id=name, unverified=(*found.unverified, "taken to be of the shape of " + found.id))


def suggest(name: str) -> tuple[str, ...]:
    """Up to three ids whose name is near `name`."""
    return _near(_plain(name)[:120])


@functools.lru_cache(maxsize=64)
def _near(plain: str) -> tuple[str, ...]:
    """The same, kept: a paste may name one unknown model in every launch."""
    from difflib import get_close_matches  # noqa: PLC0415 (only on the way to an error)

    names = _names()
    near = get_close_matches(plain, [key for key in names if "/" not in key], n=6, cutoff=0.6)
    return tuple(dict.fromkeys(names[key].id for key in near))[:3]


def ids() -> tuple[str, ...]:
    """Every listed id."""
    return tuple(_catalogue())
