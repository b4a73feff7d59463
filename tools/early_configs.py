"""Describe the configuration classes of releases up to 0.9.0, from their sources: tools/early_configs.py SOURCES

SOURCES holds one unpacked wheel a release (`SOURCES/0.8.5/vllm/config.py`). Later releases describe their classes themselves, as
pydantic schemas (see add_release.py). Up to 0.8.5 some of these classes are pydantic models, which check types and pass over
unknown keys; the others, and all of 0.9.0, are dataclasses, which take any value and refuse unknown keys.
"""

import ast
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "server"))
sys.path.insert(0, str(ROOT / "tools"))

from add_release import Catalogue  # noqa: E402
from vllm_triage.facts.versions import KNOWN  # noqa: E402

FIRST_DESCRIBED = "0.9.1"
CLASSES = ("CompilationConfig", "KVEventsConfig", "KVTransferConfig", "PassConfig", "PoolerConfig")
NAMED: dict[str, Any] = {
    "int": "int", "str": "str", "bool": "bool", "float": "float", "Path": "str", "dict": ["dict", "str", "any"],
    "Dict": ["dict", "str", "any"], "PassConfig": ["cls", "PassConfig"],
}  # fmt: skip
BY_HAND: dict[tuple[str, str], Any] = {
    # What CompilationConfig.__post_init__ of 0.9.0 does with them, and fails at with anything else.
    ("CompilationConfig", "custom_ops"): ["union", [["list", "any"], "str"]],
    ("CompilationConfig", "inductor_compile_config"): ["dict", "str", "any"],
    ("CompilationConfig", "inductor_passes"): ["dict", "str", "str"],
    ("CompilationConfig", "pass_config"): ["?", ["union", [["cls", "PassConfig"], ["list", "any"], "str", "float", "bool"]]],
}
"""Fields of dataclasses that do not take any value."""


def described(node: ast.expr | None) -> Any:
    """A type as the catalogue writes it; "any" for what JSON gives no shape."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = ast.parse(node.value, mode="eval").body
    if isinstance(node, ast.Name):
        return NAMED.get(node.id, "any")
    if not isinstance(node, ast.Subscript):
        return "any"
    kind = ast.unparse(node.value).rpartition(".")[2].lower()
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if kind == "optional":
        return ["?", described(inner[0])]
    if kind == "counter":
        return ["dict", described(inner[0]), "int"]
    if kind in ("list", "set"):
        return ["list", described(inner[0])]
    if kind == "dict":
        return ["dict", *map(described, inner)]
    if kind == "union":
        return ["union", [described(item) for item in inner]]
    return "any"


def default(node: ast.expr | None) -> Any:
    """A default that is written out; None otherwise."""
    if isinstance(node, ast.Call):
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        made = given.get("default_factory")
        if isinstance(made, ast.Name):
            return {"list": [], "dict": {}}.get(made.id)
        node = given.get("default")
    try:
        return None if node is None else ast.literal_eval(node)
    except ValueError:
        return None


def classes(source: str) -> dict[str, dict[str, Any]]:
    """Each class as the catalogue describes it."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ClassDef) or node.name not in CLASSES:
            continue
        model = any(isinstance(base, ast.Name) and base.id == "BaseModel" for base in node.bases)
        fields: dict[str, Any] = {}
        defaults: dict[str, Any] = {}
        for line in node.body:
            if not isinstance(line, ast.AnnAssign) or not isinstance(line.target, ast.Name):
                continue
            name = line.target.id
            if isinstance(line.value, ast.Call) and any(k.arg == "init" and ast.unparse(k.value) == "False" for k in line.value.keywords):
                continue  # computed, and refused where it is given
            # A default of `PrivateAttr`, without a call, is a default like any other: the field can be given.
            if isinstance(line.annotation, ast.Subscript) and ast.unparse(line.annotation.value) == "ClassVar":
                continue
            shape = described(line.annotation) if model else BY_HAND.get((node.name, name), "any")
            fields[name], defaults[name] = shape, default(line.value)
        functions = [line.name for line in node.body if isinstance(line, ast.FunctionDef)]
        hooks = [name for name in functions if name in ("__post_init__", "model_post_init")]
        extra = "ignore" if model else "forbid"
        found[node.name] = {"required": [], "checks": hooks, "extra": extra, "fields": fields, "defaults": defaults}
    return found


def main(folder: Path) -> None:
    """Write the descriptions of every release before the first that describes itself."""
    catalogue = Catalogue()
    for version in KNOWN[: KNOWN.index(FIRST_DESCRIBED)]:
        source = (folder / version / "vllm" / "config.py").read_text(encoding="utf-8")
        catalogue.releases[version]["classes"].update(classes(source))
    catalogue.write()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
