"""Record every release's model architectures and the interfaces their classes implement.

``python tools/build_architecture_catalogue.py SOURCES``: SOURCES holds the unpacked Python sources, one folder a release.
The registry and the classes are read as text. Writes ``server/vllm_triage/facts/data/architectures.json``.
"""

import ast
import json
import sys
from pathlib import Path
from typing import Any

from build_config_fields import by_change
from vllm_triage.facts.versions import KNOWN

DATA = Path(__file__).parent.parent / "server" / "vllm_triage" / "facts" / "data" / "architectures.json"
LETTERS = {
    "SupportsPP": "p", "SupportsLoRA": "l", "SupportsEagle3": "e", "SupportsMambaPrefixCaching": "m",
    "SupportsMultiModal": "v",
}  # fmt: skip
"""One letter an interface, to keep the catalogue small."""
SKIPPED = {"_TRANSFORMERS_BACKEND_MODELS", "_VLLM_MODELS", "_PREVIOUSLY_SUPPORTED_MODELS", "_OOT_SUPPORTED_MODELS"}


def architectures(package: Path) -> dict[str, str]:
    """Architectures of one release, each with the letters of its interfaces."""
    folders = [package / "model_executor" / "models", package / "models"]
    files = [path for folder in folders for path in sorted(folder.rglob("*.py")) if path != folders[0] / "config.py"]
    classes: dict[str, list[str]] = {}
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                classes.setdefault(node.name, []).extend(bases)  # a class of each platform: what any of them has
    registry = ast.parse((folders[0] / "registry.py").read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for node in registry.body:
        if not (
            isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and isinstance(node.targets[0], ast.Name)
        ):
            continue
        if not node.targets[0].id.endswith("_MODELS") or node.targets[0].id in SKIPPED:
            continue
        for key, value in zip(node.value.keys, node.value.values, strict=True):
            if (
                isinstance(key, ast.Constant)
                and isinstance(value, ast.Tuple)
                and isinstance(value.elts[-1], ast.Constant)
            ):
                have = _interfaces(str(value.elts[-1].value), classes, set())
                found[str(key.value)] = "".join(sorted(LETTERS[name] for name in have if name in LETTERS))
    return found


def _interfaces(name: str, classes: dict[str, list[str]], seen: set[str]) -> set[str]:
    """Every base of a class, by name."""
    if name in seen:
        return set()
    seen.add(name)
    return {name}.union(*(_interfaces(base, classes, seen) for base in classes.get(name, ())))


def main() -> None:
    """Read every release and write the catalogue."""
    table: dict[str, dict[str, Any]] = {}
    for version in KNOWN:
        for name, letters in architectures(Path(sys.argv[1]) / version / "vllm").items():
            table.setdefault(name, {})[version] = letters
    written = {name: by_change(rows) for name, rows in sorted(table.items())}
    DATA.write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
