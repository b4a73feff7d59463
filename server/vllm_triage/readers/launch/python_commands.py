"""Command lines that Python puts together: lists that grow, joined and split texts, f-strings.

Nothing is run. A piece that would have to be computed stands in the words as a variable without a value.
"""

import ast
import re
from collections.abc import Callable, Mapping
from itertools import islice

from .draft import Draft, Reading
from .program import find_server
from .shell import read_shell
from .shell_variables import short
from .syntax import expression, source_of

__all__ = ["read_command", "with_additions"]

_ADDED = re.compile(r"^([ \t]*)([A-Za-z_]\w*)(?:[ \t]*\+=[ \t]*(?=[\[(\"'])|\.(extend|append)(?=\())", re.M)
_DEEPEST = 100
_MOST_ADDED = 100
"""Lines that add to a list; no script puts a command together from more."""


class Unknown(ValueError):
    """What would have to be computed."""


def with_additions(text: str, names: Mapping[str, ast.expr], closing: Callable[[str, int, int], int]) -> dict[str, ast.expr]:
    """`names` with what later lines add to their lists (``cmd += [...]``, ``cmd.extend(...)``, ``cmd.append(x)``).

    A line that stands deeper than others is added on a condition that is not known: it is left out.
    """
    grown = dict(names)
    depths: dict[str, int] = {}
    for match in islice(_ADDED.finditer(text), _MOST_ADDED):
        name = match[2]
        if name not in grown:
            continue
        end = closing(text, match.end(), min(len(text), match.end() + 20_000))
        stop = end + 1 if end > 0 and text[match.end()] in "[(" else _line_end(text, match.end())
        node = expression(text[match.end() : stop].strip())
        if node is None or len(match[1]) > depths.setdefault(name, _depth_of(text, name)):
            continue
        added = ast.List([node], ast.Load()) if match[3] == "append" else node
        grown[name] = ast.BinOp(grown[name], ast.Add(), added)
    return grown


def _line_end(text: str, pos: int) -> int:
    end = text.find("\n", pos)
    return len(text) if end < 0 else end


def _depth_of(text: str, name: str) -> int:
    found = re.search(rf"^([ \t]*){re.escape(name)}[ \t]*(?::[^=\n]*)?=", text, re.M)
    return len(found[1]) if found else 0


def read_command(node: ast.expr, names: Mapping[str, ast.expr], reading: Reading, line: int) -> None:
    """Read the server that a command starts: a list of words, or a text for a shell."""
    command = _Command(names)
    try:
        words = command.words(node)
    except Unknown:
        words = None
    if words is None:
        try:
            text = command.text(node)
        except Unknown:
            return
        read_shell(text, reading, "python", line=line)
    elif found := find_server(words):
        draft = Draft("python", found.entrypoint, found.arguments, line=line, unset=command.unset, notes=command.notes)
        draft.unread = [f"{draft.place}: {name} has no value in this paste" for name in command.unset]
        reading.add(draft)


class _Command:
    """The words or the text of one command; `unset` names what has no value in the paste."""

    def __init__(self, names: Mapping[str, ast.expr]) -> None:
        self.names = names
        self.unset: list[str] = []
        self.notes: list[str] = []

    def words(self, node: ast.expr, depth: int = 0) -> list[str]:
        """A list of words."""
        if depth > _DEEPEST:
            raise Unknown
        if isinstance(node, ast.List | ast.Tuple):
            return [word for item in node.elts for word in self._item(item, depth + 1)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return [*self.words(node.left, depth + 1), *self.words(node.right, depth + 1)]
        if isinstance(node, ast.Name) and node.id in self.names:
            return self.words(self.names[node.id], depth + 1)
        if isinstance(node, ast.Call):
            return self._split(node, depth)
        raise Unknown

    def _split(self, node: ast.Call, depth: int) -> list[str]:
        """``text.split()``, ``shlex.split(text)``, ``list(words)``."""
        if isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            inner = node.args[0] if source_of(node.func.value) == "shlex" and node.args else node.func.value
            return self.text(inner, depth + 1).split()
        if source_of(node.func) == "list" and len(node.args) == 1:
            return self.words(node.args[0], depth + 1)
        raise Unknown

    def _item(self, node: ast.expr, depth: int) -> list[str]:
        if isinstance(node, ast.Starred):
            try:
                return self.words(node.value, depth)
            except Unknown:
                return [self._hole(node.value)]
        return [self._piece(node, depth)]

    def text(self, node: ast.expr, depth: int = 0) -> str:
        """A text for a shell."""
        if depth > _DEEPEST:
            raise Unknown
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.JoinedStr):
            return "".join(
                self._piece(part.value if isinstance(part, ast.FormattedValue) else part, depth) for part in node.values
            )
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._piece(node.left, depth) + self._piece(node.right, depth)
        if isinstance(node, ast.Name) and node.id in self.names:
            return self.text(self.names[node.id], depth + 1)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
            between = self.text(node.func.value, depth + 1)
            return between.join(self.words(node.args[0], depth + 1))
        raise Unknown

    def _piece(self, node: ast.expr, depth: int) -> str:
        """One word, or a part of one; what is not known stands as a variable."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float):
            return str(node.value)
        if isinstance(node, ast.Call) and source_of(node.func) in ("str", "int", "shlex.quote") and len(node.args) == 1:
            return self._piece(node.args[0], depth + 1)
        if isinstance(node, ast.IfExp) and isinstance(value := self._constant(node.test), bool | int | str):
            return self._piece(node.body if value else node.orelse, depth + 1)
        if isinstance(node, ast.Attribute) and source_of(node.value) in ("self", "cls"):
            node = ast.Name(node.attr, ast.Load())  # what a class sets for all its objects
        if isinstance(node, ast.Name) and isinstance(value := self._constant(node), str | int | float):
            return str(value)
        try:
            return self.text(node, depth + 1)
        except Unknown:
            return self._hole(node)

    def _constant(self, node: ast.expr) -> object:
        held = self.names.get(node.id) if isinstance(node, ast.Name) else node
        if isinstance(held, ast.Call) and source_of(held.func).endswith("HuggingFaceModel") and held.args:
            held = held.args[0]  # BentoML's reference to a model of the hub
        if isinstance(held, ast.Call) and source_of(held.func) in ("int", "float", "str") and len(held.args) == 1:
            held = held.args[0]
        if isinstance(held, ast.Call) and source_of(held.func) in ("os.environ.get", "os.getenv") and len(held.args) == 2:
            held = held.args[1]
            self.notes.append(f"{source_of(node)} comes from the environment: its default is used")
        return held.value if isinstance(held, ast.Constant) else None

    def _hole(self, node: ast.expr) -> str:
        """An expression as the name of a variable the paste does not give."""
        shown = short(source_of(node), 40)
        if shown == "sys.executable":
            return "python"
        name = re.sub(r"\W+", "_", shown).strip("_") or "value"
        self.unset.append(name)
        return "$" + name
