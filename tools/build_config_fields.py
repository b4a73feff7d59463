"""Record the fields of every release's configuration classes: bounds, choices and which flag sets them.

``python tools/build_config_fields.py SOURCES``: SOURCES holds the unpacked Python sources, one folder a release
(``SOURCES/0.33.0/vllm/...``). Nothing is imported; the classes are read as text. Writes
``server/vllm_triage/facts/data/config_fields.json``, where every fact is stored with the releases it holds for.
"""

import ast
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from vllm_triage.facts.versions import KNOWN

DATA = Path(__file__).parent.parent / "server" / "vllm_triage" / "facts" / "data" / "config_fields.json"
BOUNDS = ("ge", "gt", "le", "lt")
PLAIN = ("int", "float", "bool", "str")


class Release:
    """The configuration classes of one release."""

    def __init__(self, folder: Path) -> None:
        one_file = folder / "config.py"
        files = [one_file] if one_file.exists() else sorted((folder / "config").glob("*.py"))
        self.trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
        self.names = self._names()
        self.classes = {node.name: node for tree in self.trees for node in tree.body if isinstance(node, ast.ClassDef)}
        self.flags = dict(self._flags(ast.parse((folder / "engine" / "arg_utils.py").read_text(encoding="utf-8"))))

    def _names(self) -> dict[str, ast.expr]:
        """Module-level names, for the aliases of ``Literal`` types."""
        found: dict[str, ast.expr] = {}
        for tree in self.trees:
            for node in tree.body:
                if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                    found[node.targets[0].id] = node.value
                elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                    found[node.target.id] = node.value
        return found

    def _flags(self, tree: ast.AST) -> Iterable[tuple[str, tuple[str, str]]]:
        """Each long flag with the class and field it is declared from."""
        owner: dict[str, str] = {}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.targets[0], ast.Name)
                and isinstance(node.value, ast.Call)
            ):
                call = node.value
                if (
                    isinstance(call.func, ast.Name)
                    and call.func.id == "get_kwargs"
                    and isinstance(call.args[0], ast.Name)
                ):
                    owner[node.targets[0].id] = call.args[0].id
        for node in ast.walk(tree):
            if not (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument"
            ):
                continue
            long = next(
                (a.value for a in node.args if isinstance(a, ast.Constant) and str(a.value).startswith("--")), None
            )
            for keyword in node.keywords:
                for value in ast.walk(keyword.value) if long and keyword.arg is None else ():
                    if (
                        isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name)
                        and isinstance(value.slice, ast.Constant) and value.value.id in owner
                    ):  # fmt: skip
                        yield str(long), (owner[value.value.id], str(value.slice.value))

    def mtp_targets(self) -> list[str]:
        """Model types and architectures that ``SpeculativeConfig.hf_config_override`` turns into an MTP module."""
        found: set[str] = set()
        for tree in self.trees:
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef) and node.name == "hf_config_override":
                    compares = (inner for inner in ast.walk(node) if isinstance(inner, ast.Compare))
                    found |= {
                        leaf.value for compare in compares for side in compare.comparators for leaf in ast.walk(side)
                        if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str)
                    }  # fmt: skip
        return sorted(found)

    def fields(self, name: str) -> dict[str, dict[str, Any]]:
        """The settable fields of a class, those of its bases first."""
        node = self.classes[name]
        found: dict[str, dict[str, Any]] = {}
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id in self.classes:
                found |= self.fields(base.id)
        for item in node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                told = self._field(item)
                if told is not None:
                    found[item.target.id] = told
        return found

    def _field(self, item: ast.AnnAssign) -> dict[str, Any] | None:
        text = ast.unparse(item.annotation)
        if text.startswith(("ClassVar", "InitVar")) or (isinstance(item.target, ast.Name) and item.target.id[0] == "_"):
            return None
        told: dict[str, Any] = {}
        calls = [node for node in (item.value, *ast.walk(item.annotation)) if isinstance(node, ast.Call)]
        for call in calls:
            for keyword in call.keywords:
                if keyword.arg == "init" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False:
                    return None
                if keyword.arg in BOUNDS:
                    told[keyword.arg] = ast.literal_eval(keyword.value)
        choices, none = self._choices(item.annotation)
        if choices:
            told["choices"] = choices
        kinds = self._kinds(item.annotation)
        if kinds:
            told["kinds"] = kinds
        if none:
            told["none"] = True
        inner = [part.id for part in _union(item.annotation) if isinstance(part, ast.Name) and part.id in self.classes]
        if inner and not kinds and not choices:
            told["config"] = inner[0]
        return told

    def _kinds(self, node: ast.expr) -> list[str] | None:
        """The plain types of an annotation, or None when it holds anything else."""
        parts = _union(node)
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        plain = [name for name in names if name in PLAIN]
        others = [
            part for part in parts if not (isinstance(part, ast.Name) and part.id in PLAIN) and not _is_none(part)
        ]
        return plain if plain and not others else None

    def _choices(self, node: ast.expr, depth: int = 0) -> tuple[list[Any] | None, bool]:
        """The values of a ``Literal`` annotation, and whether None is one; None when it accepts anything else."""
        values: list[Any] = []
        none = False
        for part in _union(node):
            if _is_none(part):
                none = True
            elif isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id == "Literal":
                for element in part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]:
                    if isinstance(element, ast.Constant):
                        values.append(element.value)
                        continue
                    inner, _ = self._choices(element, depth + 1)
                    if inner is None:
                        return None, none
                    values += inner
            elif isinstance(part, ast.Name) and part.id in self.names and depth < 6:
                inner, also = self._choices(self.names[part.id], depth + 1)
                if inner is None:
                    return None, none
                values += inner
                none = none or also
            else:
                return None, none
        return list(dict.fromkeys(v for v in values if v is not None)) or None, none or None in values


def _union(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_union(node.left), *_union(node.right)]
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        inner = node.slice
        if node.value.id == "Optional":
            return [*_union(inner), ast.Constant(None)]
        if node.value.id == "Union" and isinstance(inner, ast.Tuple):
            return [part for element in inner.elts for part in _union(element)]
        if node.value.id in ("SkipValidation", "Annotated"):
            return _union(inner.elts[0] if isinstance(inner, ast.Tuple) else inner)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _union(ast.parse(node.value, mode="eval").body)
    return [node]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def assigned(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Every plain assignment to one name, annotated or not, with its value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value


def by_change(facts: dict[str, Any]) -> list[list[Any]]:
    """A fact by release as ``[first release, fact]`` rows; a missing fact is None."""
    rows: list[list[Any]] = []
    for version in KNOWN:
        told = facts.get(version)
        if (rows or told is not None) and (not rows or rows[-1][1] != told):
            rows.append([version, told])
    return rows


def main() -> None:
    """Read every release and write the catalogue."""
    flags: dict[str, dict[str, Any]] = {}
    classes: dict[str, dict[str, dict[str, Any]]] = {}
    mtp: dict[str, Any] = {}
    for version in KNOWN:
        release = Release(Path(sys.argv[1]) / version / "vllm")
        mtp[version] = release.mtp_targets()
        for flag, place in release.flags.items():
            flags.setdefault(flag, {})[version] = list(place)
        for name in release.classes:
            if name.endswith("Config"):
                for field, told in release.fields(name).items():
                    classes.setdefault(name, {}).setdefault(field, {})[version] = told
    written = {
        "mtp_targets": by_change(mtp),
        "flags": {flag: by_change(rows) for flag, rows in sorted(flags.items())},
        "classes": {
            name: {field: by_change(rows) for field, rows in sorted(fields.items())}
            for name, fields in sorted(classes.items())
        },
    }
    DATA.write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
