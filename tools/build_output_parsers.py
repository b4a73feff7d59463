"""Record every release's tool-call and reasoning parsers by name.

``python tools/build_output_parsers.py SOURCES``: SOURCES holds the unpacked Python sources, one folder a release. The modules
are read as text. Writes ``server/vllm_triage/facts/data/output_parsers.json``.
"""

import ast
import json
import sys
from pathlib import Path
from typing import Any

from build_config_fields import assigned, by_change
from vllm_triage.facts.versions import KNOWN

DATA = Path(__file__).parent.parent / "server" / "vllm_triage" / "facts" / "data" / "output_parsers.json"
FOLDERS = {
    "tool": ("tool_parsers", "entrypoints/openai/tool_parsers"),
    "reasoning": ("reasoning", "entrypoints/openai/reasoning_parsers"),
}
TABLES = ("_TOOL_PARSERS_TO_REGISTER", "_REASONING_PARSERS_TO_REGISTER")


def names(package: Path, folders: tuple[str, ...]) -> set[str]:
    """The parsers one release registers, by decorator or by table."""
    found: set[str] = set()
    for path in (path for folder in folders for path in sorted((package / folder).glob("*.py"))):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for name, value in assigned(tree):
            if name in TABLES and isinstance(value, ast.Dict):
                found |= {str(key.value) for key in value.keys if isinstance(key, ast.Constant)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                for decorator in node.decorator_list:
                    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith(".register_module"):
                        leaves = (leaf.value for part in decorator.args for leaf in ast.walk(part)
                                  if isinstance(leaf, ast.Constant))  # fmt: skip
                        found |= {leaf for leaf in leaves if isinstance(leaf, str)}
    return found


def main() -> None:
    """Read every release and write the catalogue."""
    written: dict[str, dict[str, Any]] = {}
    for kind, folders in FOLDERS.items():
        table: dict[str, dict[str, Any]] = {}
        for version in KNOWN:
            for name in names(Path(sys.argv[1]) / version / "vllm", folders):
                table.setdefault(name, {})[version] = True
        written[kind] = {name: by_change(rows) for name, rows in sorted(table.items())}
    DATA.write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
