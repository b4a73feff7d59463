"""What vLLM itself prints of its launch: ``non-default args: {...}`` and the engine's configuration line.

Log lines by version: facts/vllm.md (e). ``non-default args`` since 0.9.2, the server's banner since 0.15, the
engine line since 0.7.3.
"""

import ast
import json
import re
from typing import Any

from .draft import Draft, Reading

__all__ = ["read_log", "words_of"]

_ARGS = re.compile(r"non-default args: (\{.*)")
_ENGINE = re.compile(r"Initializing (?:a|an) (?:V1 )?LLM engine \(v?(\d[\w.+]*)\) with config: (.*)")
_BANNER = re.compile(r"(?:█|server|API server)\s+version (\d+\.\d+[\w.+]*)")
_ENUM = re.compile(r"<(?:[\w.]+\.)*([A-Za-z_]\w*): ('[^']*'|-?\d+)>")
_OBJECT = re.compile(r"\b(?!None\b|True\b|False\b|dict\b)[A-Za-z_][\w.]*\(")
_MAX_LINE = 200_000
_PAIR = re.compile(r"(?:^|, )([a-z_][a-z0-9_]*)=")
_ENGINE_FLAGS = {
    "max_seq_len": "max_model_len", "served_model_name": "served_model_name", "dtype": "dtype",
    "tensor_parallel_size": "tensor_parallel_size", "pipeline_parallel_size": "pipeline_parallel_size",
    "data_parallel_size": "data_parallel_size", "quantization": "quantization", "enforce_eager": "enforce_eager",
    "kv_cache_dtype": "kv_cache_dtype", "enable_prefix_caching": "enable_prefix_caching",
    "enable_chunked_prefill": "enable_chunked_prefill", "trust_remote_code": "trust_remote_code", "load_format": "load_format",
    "decode_context_parallel_size": "decode_context_parallel_size", "seed": "seed", "tokenizer_mode": "tokenizer_mode",
    "disable_custom_all_reduce": "disable_custom_all_reduce", "download_dir": "download_dir", "revision": "revision",
}
"""What the engine line prints, and the argument that sets it."""


def read_log(text: str, reading: Reading) -> bool:
    """Read the launches a log shows; False when the text is no vLLM log."""
    version: str | None = None
    found = False
    engine: tuple[str, str, int] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _MAX_LINE:
            continue
        if match := _BANNER.search(line):
            version = match[1]
        elif match := _ARGS.search(line):
            found = True
            _arguments(match[1], reading, version, number)
        elif match := _ENGINE.search(line):
            found = True
            version = match[1]
            engine = engine or (match[1], match[2], number)
            for draft in reading.drafts:
                if draft.source == "log" and draft.version is None:
                    draft.version = match[1]
                if draft.source == "log" and "device_config=cpu" in line:
                    draft.gpu = "cpu"
    if engine and not any(draft.source == "log" for draft in reading.drafts):
        _engine(*engine, reading)
    return found


def _arguments(shown: str, reading: Reading, version: str | None, number: int) -> None:
    place = f"line {number}"
    values = _literal(shown)
    if not isinstance(values, dict):
        reading.say(place, "non-default args that do not read as a dictionary")
        return
    words, unread = words_of({str(key): value for key, value in values.items()}, positional=True)
    draft = Draft("log", "serve", words, version=version, place=place)
    draft.unread.extend(f"{place}: {what}" for what in unread)
    if not any(d.source == "log" and d.words == words for d in reading.drafts):
        reading.drafts.append(draft)


def _engine(version: str, shown: str, number: int, reading: Reading) -> None:
    """The configuration the engine resolved, where the log shows nothing of what was typed."""
    pairs = _PAIR.split(shown[:20_000])
    values: dict[str, Any] = {}
    for name, raw in zip(pairs[1::2], pairs[2::2], strict=False):
        if name in values:
            continue
        text = raw.strip().strip("'\"")
        values[name] = None if text == "None" else text
    model = values.get("model")
    if not isinstance(model, str):
        reading.say(f"line {number}", "an engine line without a model")
        return
    out: dict[str, Any] = {"model_tag": model}
    for shown_name, dest in _ENGINE_FLAGS.items():
        value = values.get(shown_name)
        if value is None or value in ("auto", "False") and dest != "enable_prefix_caching" and dest != "enable_chunked_prefill":
            continue
        if value in ("True", "False"):
            out[dest] = value == "True"
        else:
            out[dest] = str(value).removeprefix("torch.")
    words, _ = words_of(out, positional=True)
    draft = Draft("log", "serve", words, version=version, place=f"line {number}")
    draft.notes.append("read from the engine's resolved configuration: values the user did not type may be among them")
    if values.get("device_config") == "cpu":
        draft.gpu = "cpu"
    reading.drafts.append(draft)


def _literal(shown: str) -> Any:
    """A printed dictionary as data; enum members by their name, other objects as their text."""
    end = _dict_end(shown)
    text = _ENUM.sub(lambda m: repr(m[1]), shown[:end])
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    try:
        tree = ast.parse(text, mode="eval").body
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if not isinstance(tree, ast.Dict):
        return None
    out = {}
    for key, node in zip(tree.keys, tree.values, strict=True):
        if isinstance(key, ast.Constant):
            try:
                out[key.value] = ast.literal_eval(node)
            except ValueError:
                out[key.value] = _Printed(ast.get_source_segment(text, node) or "?")
    return out


class _Printed(str):
    """An object's printed form, not a value."""

    __slots__ = ()


def _dict_end(text: str) -> int:
    depth = 0
    quote = ""
    for match in re.compile(r"[{}'\"\\]").finditer(text):
        char = match[0]
        if text[match.start() - 1:match.start()] == "\\":
            continue
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if not depth:
                return match.end()
    return len(text)


def words_of(values: dict[str, Any], *, positional: bool = False) -> tuple[list[str], list[str]]:
    """Values by destination name as command-line words, and what could not be put into words."""
    words: list[str] = []
    unread: list[str] = []
    model = values.get("model_tag") or values.get("model")
    if positional and isinstance(model, str):
        words.append(model)
    for dest, value in values.items():
        if positional and dest in ("model_tag", "model") or dest in ("subparser", "dispatch_function", "config"):
            continue
        flag = "--" + dest.replace("_", "-")
        if value is True:
            words.append(flag)
        elif value is False:
            words.append("--no-" + flag[2:])
        elif value is None:
            continue
        elif isinstance(value, _Printed):
            unread.append(f"{flag}: {value[:120]} is an object's printed form")
        elif isinstance(value, dict):
            words += [flag, json.dumps(value, default=str)]
        elif isinstance(value, list | tuple | set):
            items = [json.dumps(v, default=str) if isinstance(v, dict | list) else str(v) for v in value]
            if items:
                words += [flag, *items]
        else:
            words += [flag, str(value)]
    return words, unread
