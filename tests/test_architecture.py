"""The house holds: one way through the rooms, and no way back."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "server" / "vllm_triage"
ORDER = ["readers", "engine", "verdicts", "report", "surfaces"]
GROUND = ["domain", "facts"]
MODULES = sorted(PACKAGE.rglob("*.py"))


def our_imports(path: Path) -> set[str]:
    """Rooms that a module imports, wherever in the file the import stands."""
    package = path.relative_to(PACKAGE).parent.parts
    rooms: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            target = (*base, *(node.module or "").split("."))
            rooms |= {target[0]} if target[0] else {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("vllm_triage."):
            rooms.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            rooms |= {a.name.split(".")[1] for a in node.names if a.name.startswith("vllm_triage.")}
    return rooms & {*ORDER, *GROUND}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_room_never_imports_a_later_room(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0]
    allowed = set(GROUND) | set(ORDER[: ORDER.index(room) + 1]) if room in ORDER else {room}
    if room not in ORDER and room not in GROUND:
        return
    assert our_imports(path) <= allowed


def modules_loaded_by(statement: str) -> set[str]:
    script = f"import sys; {statement}; print(chr(10).join(sys.modules))"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(PACKAGE.parent)},
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("statement", ["import vllm_triage", "import vllm_triage.surfaces.cli"])
def test_the_command_line_starts_without_mcp_jinja2_and_yaml(statement: str) -> None:
    assert not modules_loaded_by(statement) & {"mcp", "mcp_types", "jinja2", "yaml", "numpy"}


def test_only_the_mcp_surface_imports_mcp() -> None:
    offenders = [
        str(path.relative_to(PACKAGE))
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] == "mcp")
        or (isinstance(node, ast.Import) and any(a.name.split(".")[0] == "mcp" for a in node.names))
    ]
    assert set(offenders) <= {"surfaces/mcp.py"}
