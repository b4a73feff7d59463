"""Record every release's quantization methods: least compute capability, activation dtypes, deprecation.

``python tools/build_quantization_catalogue.py SOURCES``: SOURCES holds the unpacked Python sources, one folder a release.
The classes are read as text. Writes ``server/vllm_triage/facts/data/quantization.json``.
"""

import ast
import json
import sys
from pathlib import Path
from typing import Any

from build_config_fields import assigned, by_change
from vllm_triage.facts.versions import KNOWN

DATA = Path(__file__).parent.parent / "server" / "vllm_triage" / "facts" / "data" / "quantization.json"


def methods(folder: Path) -> dict[str, dict[str, Any]]:
    """The methods of one release by name."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))]
    classes = {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}
    found: dict[str, dict[str, Any]] = {}
    front = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    for name, cls in _table(front).items():
        told: dict[str, Any] = {}
        least = _function(cls, "get_min_capability", classes)
        if least is not None:
            numbers = [n.value for node in ast.walk(least) if isinstance(node, ast.Return) and node.value is not None
                       for n in [_number(node.value)] if n is not None]  # fmt: skip
            if len(numbers) == 1:
                told["capability"] = numbers[0]
        kinds = _function(cls, "get_supported_act_dtypes", classes)
        if kinds is not None:
            told["dtypes"] = sorted({node.attr for node in ast.walk(kinds) if isinstance(node, ast.Attribute)
                                     and isinstance(node.value, ast.Name) and node.value.id == "torch"} - {"dtype"})  # fmt: skip
        found[name] = told
    for name in _listed(front, "QuantizationMethods"):
        found.setdefault(name, {})
    for name in _listed(front, "DEPRECATED_QUANTIZATION_METHODS"):
        found.setdefault(name, {})["deprecated"] = True
    return found


def _number(node: ast.expr) -> ast.Constant | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant) and isinstance(node.op, ast.USub):
        return ast.Constant(-int(str(node.operand.value)))
    return node if isinstance(node, ast.Constant) else None


def _table(tree: ast.AST) -> dict[str, str]:
    """``method_to_config``: the class of each method."""
    for name, value in assigned(tree):
        if name == "method_to_config" and isinstance(value, ast.Dict):
            pairs = zip(value.keys, value.values, strict=True)
            return {
                str(key.value): cls.id
                for key, cls in pairs
                if isinstance(key, ast.Constant) and isinstance(cls, ast.Name)
            }
    return {}


def _listed(tree: ast.Module, name: str) -> list[str]:
    """The strings of a module-level list or ``Literal``."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name:
            leaves = (leaf.value for leaf in ast.walk(node.value) if isinstance(leaf, ast.Constant))
            return [leaf for leaf in leaves if isinstance(leaf, str)]
    return []


def _function(cls: str, name: str, classes: dict[str, ast.ClassDef]) -> ast.FunctionDef | None:
    """A method of a class or of its bases."""
    node = classes.get(cls)
    if node is None:
        return None
    own = next((item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == name), None)
    if own is not None:
        return own
    bases = (base.id for base in node.bases if isinstance(base, ast.Name))
    return next((found for base in bases if (found := _function(base, name, classes)) is not None), None)


def main() -> None:
    """Read every release and write the catalogue."""
    table: dict[str, dict[str, Any]] = {}
    for version in KNOWN:
        for name, told in methods(Path(sys.argv[1]) / version / "vllm/model_executor/layers/quantization").items():
            table.setdefault(name, {})[version] = told
    written = {name: by_change(rows) for name, rows in sorted(table.items())}
    DATA.write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
