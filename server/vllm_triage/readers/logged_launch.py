"""The launch a pasted log shows, put back into vLLM's own flags.

From 0.9.2 the server prints ``non-default args: {...}``: a Python dict by destination name. It is read as literals
only; nothing is evaluated. Older servers and offline engines print the engine's resolved configuration instead, from
which the model and the few settings that shape the scheduler are taken.
"""

import ast
import json
import re
import shlex
from collections.abc import Mapping

from ..domain import Json

__all__ = ["command_of", "non_default_args", "resolved_settings"]

MAX_ARGS = 20_000
"""Longest argument dict that is parsed, characters."""

_NOT_FLAGS = frozenset({"model", "model_tag", "subparser", "config", "dispatch_function"})
_REPR = re.compile(r"<[^<>\n]{1,200}>")
_RESOLVED = {
    "max_seq_len": "max_model_len",
    "tensor_parallel_size": "tensor_parallel_size",
    "pipeline_parallel_size": "pipeline_parallel_size",
    "data_parallel_size": "data_parallel_size",
    "quantization": "quantization",
    "enforce_eager": "enforce_eager",
    "kv_cache_dtype": "kv_cache_dtype",
    "dtype": "dtype",
    "enable_prefix_caching": "enable_prefix_caching",
    "enable_chunked_prefill": "enable_chunked_prefill",
    "chunked_prefill_enabled": "enable_chunked_prefill",
}
"""Name in the engine's configuration line, and the setting it is."""
_PAIR = re.compile(r"\b(" + "|".join(_RESOLVED) + r")=('[^'\n]{0,200}'|[^,\s()]{1,100})")


def non_default_args(line: str) -> dict[str, Json] | None:
    """The dict of a ``non-default args:`` line; None when it is cut off or holds something that is no literal."""
    at = line.find("non-default args:")
    start = line.find("{", at)
    if at < 0 or start < 0 or len(line) - start > MAX_ARGS:
        return None
    end = line.rfind("}")
    text = _REPR.sub(lambda m: repr(m.group()), line[start : end + 1])
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return {str(k): _json(v) for k, v in found.items()} if isinstance(found, dict) else None


def _json(value: object) -> Json:
    if isinstance(value, dict):
        return {str(k): _json(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_json(v) for v in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def command_of(args: Mapping[str, Json]) -> str:
    """``vllm serve`` with the arguments as flags, quoted for a shell."""
    model = args.get("model_tag") or args.get("model")
    words = ["vllm", "serve", *([str(model)] if model else [])]
    for dest, value in args.items():
        flag = "--" + dest.replace("_", "-")
        if dest in _NOT_FLAGS or value is None:
            continue
        if value is True:
            words.append(flag)
        elif value is False:
            words.append(f"--no-{flag[2:]}")
        elif isinstance(value, list):
            words += [flag, *(v if isinstance(v, str) else json.dumps(v) for v in value)] if value else []
        else:
            words += [flag, json.dumps(value) if isinstance(value, dict) else str(value)]
    return shlex.join(words)


def resolved_settings(line: str) -> dict[str, Json]:
    """Settings of an ``Initializing a V1 LLM engine (...) with config:`` line, by setting name."""
    out: dict[str, Json] = {}
    for name, raw in _PAIR.findall(line[:60_000]):
        setting = _RESOLVED[name]
        if setting in out:
            continue
        value: Json = raw.strip("'")
        if value in ("True", "False", "None"):
            value = {"True": True, "False": False, "None": None}[str(value)]
        elif isinstance(value, str) and value.isdecimal() and len(value) < 16:
            value = int(value)
        elif isinstance(value, str):
            value = value.removeprefix("torch.")
        out[setting] = value
    return out
