"""What vLLM itself prints of its launch, by version (facts/vllm.md (e)).

``args: Namespace(...)`` (before 0.9.2: every value), ``non-default args: {...}`` (since 0.9.2: what was typed), the
server's banner (since 0.15), and ``Initializing a V1 LLM engine (v...) with config: ...`` (since 0.7.3: what was
resolved).
"""

import ast
import re
from typing import Any

from ..lazy import Lazy
from .draft import MAX_LAUNCHES, Draft, Reading
from .syntax import expression

__all__ = ["Printed", "looks_like_log", "read_log", "without_log_lines"]

_ARGS = Lazy(r"non-default args: (\{.*)")
_NAMESPACE = Lazy(r"\bargs: Namespace\((.*)\)\s*$")
_ENGINE = Lazy(r"Initializing an? (?:V1 )?LLM engine \(v?(\d[\w.+]*)\) with config: (.*)")
_BANNER = Lazy(r"(?:[█▀▄]\s+|server |API server )version v?(\d+\.\d+[\w.+]*)")
_ENUM = Lazy(r"<(?:[\w.]+\.)*([A-Za-z_]\w*): (?:('[^'\n]*')|-?\d+)>")
_CLASS = Lazy(r"<(?:class|function|object) ?[^<>\n]*>")
_PAIR = Lazy(r"(?:^|, )([a-z_][a-z0-9_]*)=")
_LINE = Lazy(
    r"^\s*(?:\([\w .=,:/-]+\)\s*)*(?:(?:INFO|WARNING|ERROR|DEBUG|CRITICAL)[ :]|[IWEF]\d{4} |\[rank\d|\[W\d|"
    r"\[Gloo\]|Traceback |Loading safetensors|Capturing |\d{4}-\d\d-\d\d[ T]\d\d:|\[\d{4}-|usage: vllm|"
    r"vllm: error|\w*Error: )"
)
_MAX_LINE = 60_000
_ENGINE_DESTS = {"max_seq_len": "max_model_len"}
_ENGINE_KEPT = (
    "max_seq_len", "served_model_name", "dtype", "tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size",
    "decode_context_parallel_size", "quantization", "enforce_eager", "kv_cache_dtype", "enable_prefix_caching",
    "enable_chunked_prefill", "trust_remote_code", "load_format", "tokenizer_mode", "disable_custom_all_reduce", "seed",
)  # fmt: skip
"""What the engine's line prints under the name of an argument (``max_seq_len`` under its own)."""


class Printed(str):
    """An object's printed form, not a value."""

    __slots__ = ()


def looks_like_log(text: str) -> bool:
    """True when the text holds one of the lines that show a launch."""
    return (
        "non-default args: {" in text
        or "args: Namespace(" in text
        or ("LLM engine (v" in text and "with config: " in text)
    )


def without_log_lines(text: str) -> str:
    """The text with the lines a log wrote left blank: what remains was typed."""
    return "\n".join("" if len(line) > 20_000 or _LINE.match(line) else line for line in text.split("\n"))


def read_log(text: str, reading: Reading, line: int = 1) -> None:
    """Read the launches that a log shows. A server's lines belong together; a second banner begins the next server."""
    version: str | None = None
    engine: tuple[str, str, int] | None = None
    drafts: list[Draft] = []
    seen: set[str] = set()  # every worker of a server prints the same line
    for number, content in enumerate(text.split("\n"), line):
        if len(seen) >= MAX_LAUNCHES:
            break
        if len(content) > _MAX_LINE or (
            "version" not in content and "args: " not in content and "config: " not in content
        ):
            continue
        if match := _ENGINE.search(content):
            version = match[1]
            engine = engine or (match[1], match[2], number)
            if drafts:
                drafts[-1].version = drafts[-1].version or version
                drafts[-1].gpu = drafts[-1].gpu or ("cpu" if "device_config=cpu" in content else None)
        elif match := _ARGS.search(content) or _NAMESPACE.search(content):
            if match[1] in seen:
                continue
            seen.add(match[1])
            values = _arguments(match[1]) if match[0].startswith("non-default") else _namespace(match[1])
            if values is None:
                reading.say(number, "arguments that do not read as Python values")
                continue
            draft = Draft("log", "serve", [], values=values, version=version, line=number)
            if not match[0].startswith("non-default"):
                draft.notes.append("the log prints every argument; those at their default are left out")
            if not any(other.values == values for other in drafts):
                drafts.append(draft)
        elif match := _BANNER.search(content):
            version = match[1]
    if engine and not drafts:
        drafts = _engine(*engine, reading)
    for draft in drafts:
        reading.add(draft)


def _arguments(shown: str) -> dict[str, Any] | None:
    """A printed dictionary as data; members of enumerations by name, other objects as their printed form."""
    text = _CLASS.sub("'?'", _ENUM.sub(_member, _balanced(shown)))
    tree = expression(text)
    if not isinstance(tree, ast.Dict) or not all(_is_dest(key) for key in tree.keys):
        return None
    return {
        str(key.value): _value(node, text)
        for key, node in zip(tree.keys, tree.values, strict=True)
        if isinstance(key, ast.Constant)
    }


def _is_dest(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier()


def _member(match: re.Match[str]) -> str:
    """A member of an enumeration: its value where that is text, which is what a user types; else its name."""
    return match[2] or repr(match[1])


def _namespace(shown: str) -> dict[str, Any] | None:
    text = _CLASS.sub("'?'", _ENUM.sub(_member, shown))
    tree = expression(f"_({text})")
    if not isinstance(tree, ast.Call):
        return None
    return {str(keyword.arg): _value(keyword.value, f"_({text})") for keyword in tree.keywords if keyword.arg}


def _value(node: ast.expr, text: str) -> Any:
    """A printed value: a literal, or a configuration object as the arguments it was printed with."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, MemoryError, RecursionError):
        pass
    if isinstance(node, ast.Dict):
        return {
            str(key.value): _value(value, text)
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant)
        }
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(item, text) for item in node.elts]
    if isinstance(node, ast.Attribute):
        return node.attr
    return Printed(ast.get_source_segment(text, node) or "?")


_BRACES = Lazy(r"[{}'\"\\]")


def _balanced(text: str) -> str:
    """The text up to the brace that closes its first one."""
    depth, quote, skip = 0, "", -1
    for match in _BRACES.finditer(text):
        at, char = match.start(), match[0]
        if at == skip:
            continue
        if char == "\\":
            skip = at + 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "{":
            depth += 1
        else:
            depth -= 1
            if not depth:
                return text[: match.end()]
    return text


def _engine(version: str, shown: str, number: int, reading: Reading) -> list[Draft]:
    """The configuration the engine resolved, where the log shows nothing of what was typed."""
    pairs = _PAIR.split(shown[:30_000])
    printed: dict[str, str] = {}
    for name, raw in zip(pairs[1::2], pairs[2::2], strict=False):
        printed.setdefault(name, raw.strip().strip("'\""))
    if "model" not in printed:
        reading.say(number, "an engine line without a model")
        return []
    values: dict[str, Any] = {"model_tag": printed["model"]}
    for name in _ENGINE_KEPT:
        value = printed.get(name)
        if value is not None and value not in ("None", ""):
            typed: Any = {"True": True, "False": False}.get(value, value.removeprefix("torch."))
            values[_ENGINE_DESTS.get(name, name)] = int(typed) if isinstance(typed, str) and typed.isdigit() else typed
    draft = Draft("log", "serve", [], values=values, version=version, line=number)
    draft.notes.append("read from the engine's resolved configuration; values that were not typed may be among them")
    draft.gpu = "cpu" if printed.get("device_config") == "cpu" else None
    return [draft]
