"""Python: ``LLM(...)``, ``AsyncEngineArgs(...)``, Ray's ``LLMConfig(...)``, and servers started through
``subprocess``.

The source is parsed with :mod:`ast` and never run. Only literals are read, and names the paste assigns a literal to;
whatever would have to be computed is reported.
"""

import ast
import re
import textwrap
from collections.abc import Mapping
from itertools import islice
from typing import Any

from ..lazy import Lazy
from .draft import Draft, Reading
from .program import mentions_server
from .python_commands import read_command, with_additions
from .ray_serve import ray_launch
from .shell_variables import short
from .syntax import expression, source_of

__all__ = ["looks_like_python", "read_python"]

_ENGINES = ("LLM", "AsyncLLM", "AsyncLLMEngine", "LLMEngine", "EngineArgs", "AsyncEngineArgs", "LLMConfig")
_CALL = Lazy(r"(?<![\w.\"'])(?:vllm\.|ray\.serve\.llm\.)?(" + "|".join(_ENGINES) + r")\s*\(")
_ASSIGNMENT = Lazy(r"^[ \t]*([A-Za-z_]\w*)[ \t]*(?::[ \t]*\w+[ \t]*)?=[ \t]*(\S[^\n]*)$", re.M)
_ENVIRON = Lazy(r"(?:os\.environ|\benv)\[\s*[\"'](\w+)[\"']\s*\]\s*=\s*(?:str\()?(?=[\"'\d])[\"']?([^\"'\n)]{0,200})")
_RUNNERS = Lazy(r"\b(?:subprocess\.(?:run|Popen|call|check_call)|os\.system|Popen)\s*\(")
_STARTING = Lazy(
    r"^[ \t]*(?:[A-Za-z_][\w.]*[ \t]*=|return)[ \t]*(\(\s*f?[\"'](?=[^\"'\n]*(?:vllm serve |-m vllm\.))|"
    r"\[\s*[\"'](?:[\w./-]*python[\d.]*|vllm)[\"']\s*,)",
    re.M,
)
_MAX_CALL = 20_000
_MAX_CALLS = 200
_MAX_FAILED = 5


class _NotLiteral(ValueError):
    """A value that would have to be computed."""


def looks_like_python(text: str) -> bool:
    """True when the text makes an engine object or starts a server from Python."""
    if ("[" in text or "(" in text) and ("=" in text or "return" in text) and _STARTING.search(text) is not None:
        return True
    if "(" not in text:
        return False
    if ("LLM" in text or "EngineArgs" in text) and _CALL.search(text) is not None:
        return True
    runs = "subprocess." in text or "os.system" in text or "Popen" in text
    return runs and _RUNNERS.search(text) is not None and mentions_server(text)


def read_python(text: str, reading: Reading, line: int = 1) -> bool:
    """Read every engine object and every server start of a Python text; False when there is none."""
    before = len(reading.drafts)
    names = _names(text)
    env = {name: value.strip() for name, value in _ENVIRON.findall(text)}
    failed = 0
    for number, match in enumerate(_CALL.finditer(text)):
        if number >= _MAX_CALLS:
            reading.say(line, f"more than {_MAX_CALLS} engine objects: the rest is not read")
            break
        at = line + text.count("\n", 0, match.start())
        if re.search(r"(?:class|def|import|->|isinstance\(\w+,)\s*$", text[max(0, match.start() - 40) : match.start()]):
            continue
        call = _parsed(text, match)
        if call is None:
            failed += 1
            reading.say(at, f"{match[1]}(...) does not parse as Python")
            if failed > _MAX_FAILED:
                break
        elif draft := _engine(call, match[1], names):
            draft.line, draft.env = at, {**env, **draft.env}
            draft.unread = [f"{draft.place}: {what}" for what in draft.unread]
            reading.add(draft)
    grown = with_additions(text, names, _closing)
    for number, match in enumerate(_RUNNERS.finditer(text)):
        if number >= _MAX_CALLS:
            break
        call = _parsed(text, match)
        if call is not None and call.args:
            read_command(call.args[0], grown, reading, line + text.count("\n", 0, match.start()))
    # A list or a text that nothing here starts.
    for match in islice(_STARTING.finditer(text), _MAX_FAILED) if len(reading.drafts) == before else ():
        end = _closing(text, match.start(1), min(len(text), match.start(1) + _MAX_CALL))
        if end > 0 and (node := expression(text[match.start(1) : end + 1])) is not None:
            read_command(node, grown, reading, line + text.count("\n", 0, match.start()))
            break
    return len(reading.drafts) > before


def _parsed(text: str, match: re.Match[str]) -> ast.Call | None:
    """The call that begins at `match`, up to the parenthesis that closes it."""
    end = _closing(text, match.end() - 1, min(len(text), match.end() + _MAX_CALL))
    if end < 0:
        return None
    source = re.sub(r"\s+\(", "(", match[0]) + text[match.end() : end + 1]
    node = expression(textwrap.dedent(source))
    return node if isinstance(node, ast.Call) else None


_DEEPEST = 100
"""Brackets inside one another that are followed; Python's own parser takes no more than two hundred."""


def _closing(text: str, pos: int, limit: int) -> int:
    """Position of the parenthesis that closes the one at `pos`, over strings and comments; -1 when there is none."""
    depth = 0
    pattern = re.compile(r"[()\[\]{}]|#[^\n]*|\"\"\"|'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
    while match := pattern.search(text, pos, limit):
        token, pos = match[0], match.end()
        if token in ('"""', "'''"):
            pos = text.find(token, pos, limit) + 3
            if pos < 3:
                return -1
        elif token[0] in "([{":
            depth += 1
            if depth > _DEEPEST:
                return -1
        elif token[0] in ")]}":
            depth -= 1
            if depth <= 0:
                return match.start()
    return -1


def _names(text: str) -> dict[str, ast.expr]:
    """Names the paste assigns on a line of their own; a name assigned twice keeps its first value."""
    names: dict[str, ast.expr] = {}
    for count, match in enumerate(_ASSIGNMENT.finditer(text)):
        if count > 2000:
            break
        value = match[2]
        if value.startswith(("{", "[", "dict(")):
            start = match.start(2) + (4 if value.startswith("dict(") else 0)
            end = _closing(text, start, min(len(text), start + 20_000))
            value = text[match.start(2) : end + 1] if end > 0 else value
        if _CALL.match(value) or match[1] in names or value.rstrip().endswith(","):
            continue  # an argument or a parameter, not an assignment
        if (node := expression(value.strip())) is not None:
            names[match[1]] = node
    return names


def _engine(call: ast.Call, name: str, names: Mapping[str, ast.expr]) -> Draft | None:
    taken = _Taken(names)
    for position, node in enumerate(call.args):
        if position == 0 and not isinstance(node, ast.Starred) and name != "LLMConfig":
            taken.one("model", node)
        else:
            taken.unread.append(f"a positional argument that is not the model: {short(source_of(node))}")
    for keyword in call.keywords:
        if keyword.arg is None:
            taken.all(keyword.value)
        else:
            taken.one(keyword.arg, keyword.value)
    if name == "LLMConfig":
        draft = ray_launch(taken.values)
    elif not taken.values and not taken.unread:
        return None  # `LLM()` in a sentence
    else:
        draft = Draft("python", "llm" if name in ("LLM", "LLMEngine") else "serve", [], values=taken.values)
        if name in ("EngineArgs", "AsyncEngineArgs"):
            draft.notes.append(f"{name} holds the engine's arguments; the server's own flags are not among them")
    draft.unread = taken.unread
    draft.notes += taken.notes
    return draft


class _Taken:
    """The arguments of one call: what could be read of them, and what would have to be computed."""

    def __init__(self, names: Mapping[str, ast.expr]) -> None:
        self.names = names
        self.values: dict[str, Any] = {}
        self.unread: list[str] = []
        self.notes: list[str] = []

    def one(self, name: str, node: ast.expr) -> None:
        """``name=value``."""
        try:
            self.values[name] = _literal(node, self.names, self.notes)
        except _NotLiteral as problem:
            self.unread.append(f"{name}={short(source_of(node), 60)} is computed: {problem}")

    def all(self, node: ast.expr) -> None:
        """``**kwargs``: read when the paste gives the dictionary."""
        try:
            found = _literal(node, self.names, self.notes)
        except _NotLiteral:
            self.unread.append(f"**{short(source_of(node), 40)}: further arguments that are not in this paste")
            return
        if isinstance(found, dict):
            self.values.update({str(key): value for key, value in found.items()})


def _literal(node: ast.expr, names: Mapping[str, ast.expr], notes: list[str], depth: int = 0) -> Any:
    """The value of a literal; raises :class:`_NotLiteral` for anything that would have to be computed."""
    if depth > 20:
        raise _NotLiteral("nested too deeply")
    inner = depth + 1
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bytes | complex) or node.value is Ellipsis:
            raise _NotLiteral("not a value of a flag")
        return node.value
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [_literal(item, names, notes, inner) for item in node.elts]
    if isinstance(node, ast.Dict):
        if None in node.keys:
            raise _NotLiteral("a dictionary unpacked into another")
        keys = [str(_literal(key, names, notes, inner)) for key in node.keys if key is not None]
        return dict(zip(keys, (_literal(value, names, notes, inner) for value in node.values), strict=True))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        number = node.operand.value
        if isinstance(number, int | float) and not isinstance(number, bool):
            return -number
    if isinstance(node, ast.Name):
        if node.id in names:
            return _literal(names[node.id], {k: v for k, v in names.items() if k != node.id}, notes, inner)
        raise _NotLiteral(f"{node.id} has no value in this paste")
    if isinstance(node, ast.Attribute):
        return _attribute(node)
    if isinstance(node, ast.Call):
        return _call(node, names, notes, inner)
    raise _NotLiteral("an expression is not evaluated")


def _attribute(node: ast.Attribute) -> str:
    """``torch.bfloat16`` and members of vLLM's enumerations, by name."""
    base = source_of(node.value)
    if base == "torch" or base.rsplit(".", 1)[-1][:1].isupper():
        return node.attr
    raise _NotLiteral(f"{short(source_of(node), 60)} has no value in this paste")


def _call(node: ast.Call, names: Mapping[str, ast.expr], notes: list[str], depth: int) -> Any:
    """Calls that only hold data: ``dict(a=1)``, a configuration class, a variable of the environment with its
    default."""
    name = source_of(node.func)
    short_name = name.rsplit(".", 1)[-1]
    if (name == "dict" or short_name.endswith("Config")) and not node.args:
        if name != "dict":
            notes.append(f"{short_name}(...) is read as its arguments")
        if any(keyword.arg is None for keyword in node.keywords):
            raise _NotLiteral("unpacked arguments")
        return {str(keyword.arg): _literal(keyword.value, names, notes, depth) for keyword in node.keywords}
    if name in ("os.environ.get", "os.getenv", "environ.get", "getenv") and len(node.args) == 2:
        notes.append(f"{short(source_of(node.args[0]), 40)} is read from the environment: its default is used")
        return _literal(node.args[1], names, notes, depth)
    if name in ("int", "float", "str") and len(node.args) == 1 and not node.keywords:
        value = _literal(node.args[0], names, notes, depth)
        try:
            return {"int": int, "float": float, "str": str}[name](value)
        except (TypeError, ValueError):
            raise _NotLiteral("not a number") from None
    raise _NotLiteral("a call is not evaluated")
