"""Record what every release's environment variables accept, where it is a number or a choice.

``python tools/build_env_values.py SOURCES``: SOURCES holds the unpacked Python sources, one folder a release.
``vllm/envs.py`` is read as text. Writes ``server/vllm_triage/facts/data/env_values.json``.
"""

import ast
import json
import sys
from pathlib import Path
from typing import Any

from build_config_fields import assigned, by_change
from vllm_triage.facts.versions import KNOWN

DATA = Path(__file__).parent.parent / "server" / "vllm_triage" / "facts" / "data" / "env_values.json"


def variables(path: Path) -> dict[str, Any]:
    """The variables of one release by name, each with what its reader accepts."""
    found: dict[str, Any] = {}
    for name, value in assigned(ast.parse(path.read_text(encoding="utf-8"))):
        if name == "environment_variables" and isinstance(value, ast.Dict):
            for key, reader in zip(value.keys, value.values, strict=True):
                if isinstance(key, ast.Constant):
                    found[str(key.value)] = _accepts(reader)
    return found


def _accepts(reader: ast.expr) -> Any:
    """Choices as a list, ``int`` or ``float`` for a number, and an empty text for anything."""
    for node in ast.walk(reader):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id == "env_with_choices" and len(node.args) >= 3 and isinstance(node.args[2], ast.List):
            choices = [leaf.value for leaf in node.args[2].elts if isinstance(leaf, ast.Constant)]
            lenient = any(keyword.arg == "case_sensitive" for keyword in node.keywords)
            return choices if not lenient else [str(choice).lower() for choice in choices]
        if node.func.id in ("int", "float") and node.args and _reads_environment(node.args[0]):
            return node.func.id
    return ""


def _reads_environment(node: ast.expr) -> bool:
    """True for ``os.getenv(...)`` and ``os.environ.get(...)`` themselves."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr == "getenv" or (node.func.attr == "get" and "environ" in ast.unparse(node.func))


def main() -> None:
    """Read every release and write the catalogue."""
    table: dict[str, dict[str, Any]] = {}
    for version in KNOWN:
        for name, told in variables(Path(sys.argv[1]) / version / "vllm" / "envs.py").items():
            table.setdefault(name, {})[version] = told
    written = {name: by_change(rows) for name, rows in sorted(table.items()) if any(rows.values())}
    DATA.write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
