"""Dump what one vLLM release's ``serve`` parser accepts. Run by an interpreter in which that release can be imported.

    python release_dump.py > VERSION.json

Stands alone: nothing of ours is imported, because the interpreter is vLLM's. ``add_release.py`` runs it and reads its output.
"""

import contextlib
import dataclasses
import enum
import importlib
import io
import json
import sys
from typing import Any


class Caught(Exception):
    """Carries the parser out of vLLM's ``main``."""


def build_parser() -> Any:
    """The release's ``vllm serve`` parser."""
    with contextlib.suppress(ImportError, AttributeError, TypeError):
        from vllm import platforms

        if platforms.current_platform.is_unspecified():
            from vllm.platforms.cpu import CpuPlatform

            platforms.current_platform = CpuPlatform()
        type(platforms.current_platform).device_type = "cuda"  # some options offer the platform's own device
    try:
        flexible = importlib.import_module("vllm.utils.argparse_utils").FlexibleArgumentParser
    except (ImportError, AttributeError):
        flexible = importlib.import_module("vllm.utils").FlexibleArgumentParser
    try:
        serve = importlib.import_module("vllm.entrypoints.cli.serve").ServeSubcommand()
    except ImportError:  # before 0.7 the command was one function
        return caught_parser(flexible)
    return serve.subparser_init(flexible(prog="vllm").add_subparsers(dest="subparser"))


def caught_parser(flexible: Any) -> Any:
    """The parser of ``serve`` as vLLM's own ``main`` builds it."""

    def caught(self: Any, *_: Any) -> None:
        raise Caught(self)

    flexible.parse_args = caught
    try:
        importlib.import_module("vllm.scripts").main()
    except Caught as found:
        return found.args[0]._subparsers._group_actions[0].choices["serve"]
    raise SystemExit("vllm's main did not parse any arguments")


def unwrap(kind: Any) -> tuple[str | None, bool, type | None]:
    """(name of the innermost conversion, None accepted, configuration class) of an argparse ``type``."""
    optional = False
    while kind is not None:
        name = getattr(kind, "__qualname__", repr(kind))
        if name.endswith("<lambda>"):
            return by_trying(kind), optional, None
        if "parse_dataclass" in name:
            held = [*(kind.__defaults__ or ()), *(cell.cell_contents for cell in kind.__closure__ or ())]
            return "config", optional, next(c for c in held if isinstance(c, type) and dataclasses.is_dataclass(c))
        if "optional_type" in name or "parse_type" in name:
            optional = optional or "optional_type" in name
            cells = [cell.cell_contents for cell in kind.__closure__ or () if callable(cell.cell_contents)]
            if not cells:
                return name, optional, None
            kind = cells[0]
            continue
        return name, optional, None
    return None, optional, None


def by_trying(kind: Any) -> str:
    """A name for a conversion that has none, from what it does."""
    with contextlib.suppress(Exception):
        return {"a_b,1": "lower_name", "['A-b', 1]": "id_list"}.get(str(kind("A-b,1")), "lambda")
    return "lambda"


def plain(value: Any) -> Any:
    """A default as JSON data; what has no JSON form is left out."""
    if isinstance(value, enum.Enum):
        return value.value if isinstance(value.value, int | str) else value.name
    if isinstance(value, bool | int | float | str | None):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return {} if dataclasses.is_dataclass(value) else None


class Schemas:
    """Configuration classes as compact descriptions of what pydantic accepts for them."""

    CONSTRAINTS = ("ge", "gt", "le", "lt", "min_length", "max_length", "pattern", "multiple_of")

    def __init__(self) -> None:
        self.classes: dict[str, Any] = {}
        self.refs: dict[str, Any] = {}

    def add(self, cls: type) -> str:
        """Describe `cls`; its name."""
        from pydantic import TypeAdapter

        self.describe(TypeAdapter(cls).core_schema)
        return cls.__name__

    def describe(self, schema: Any) -> Any:
        """One core schema -> "int", ["?", T], ["lit", [...]], ["cls", name], ["via", [functions], T] ..."""
        kind = schema["type"]
        if kind == "definitions":
            self.refs.update({found["ref"]: found for found in schema["definitions"]})
            return self.describe(schema["schema"])
        if kind == "definition-ref":
            return self.describe(self.refs[schema["schema_ref"]])
        if kind == "default":
            return self.describe(schema["schema"])
        if kind == "nullable":
            return ["?", self.describe(schema["schema"])]
        if kind == "literal":
            return ["lit", [plain(item) for item in schema["expected"]]]
        if kind == "enum":
            values = {name: plain(m.value) for name, m in schema["cls"].__members__.items()}
            return ["enum", {n: n if isinstance(v, str) and "." in v else v for n, v in values.items()}]
        if kind in ("list", "set", "frozenset"):
            return self.bounded(["list", self.describe(schema["items_schema"]) if "items_schema" in schema else "any"], schema)
        if kind == "tuple":
            return ["tuple", [self.describe(item) for item in schema["items_schema"]], schema.get("variadic_item_index")]
        if kind == "dict":
            return ["dict", *(self.describe(schema[k]) if k in schema else "any" for k in ("keys_schema", "values_schema"))]
        if kind == "union":
            return ["union", [self.describe(c[0] if isinstance(c, tuple) else c) for c in schema["choices"]]]
        if kind == "lax-or-strict":
            return self.describe(schema["lax_schema"])
        if kind == "json-or-python":
            return self.describe(schema["json_schema"])
        if kind in ("function-before", "function-after", "function-wrap", "function-plain"):
            function = schema["function"]["function"]
            name = f"{kind.removeprefix('function-')}:{getattr(function, '__qualname__', repr(function))}"
            inner = self.describe(schema["schema"]) if "schema" in schema else "any"
            return self.checked(name, inner)
        if kind == "dataclass":
            return self.dataclass(schema)
        if kind in ("bool", "str", "int", "float", "any"):
            return self.bounded(kind, schema)
        return "never" if kind in ("is-instance", "callable", "is-subclass") else ["unread", kind]

    def bounded(self, description: Any, schema: Any) -> Any:
        """`description` with the schema's limits, if it has any."""
        limits = {name: plain(schema[name]) for name in self.CONSTRAINTS if schema.get(name) is not None}
        return ["limits", description, limits] if limits else description

    def checked(self, name: str, inner: Any) -> Any:
        """A validator on a class becomes one of its checks; one on a field stays with the field."""
        if isinstance(inner, list) and inner[0] == "cls":
            self.classes[inner[1]]["checks"].append(name)
            return inner
        return ["via", name, inner]

    def dataclass(self, schema: Any) -> Any:
        """Describe a dataclass once."""
        cls = schema["cls"]
        if cls.__name__ not in self.classes:
            extra = (getattr(cls, "__pydantic_config__", None) or {}).get("extra", "ignore")
            found = self.classes[cls.__name__] = {"fields": {}, "required": [], "checks": [], "defaults": {}, "extra": extra}
            arguments = schema["schema"]
            while arguments["type"] != "dataclass-args":
                self.note(found, arguments)
                arguments = arguments["schema"]
            for item in arguments["fields"]:
                if item.get("init") is False:
                    continue
                found["fields"][item["name"]] = self.describe(item["schema"])
                if item["schema"]["type"] != "default":
                    found["required"].append(item["name"])
                elif "default" in item["schema"]:
                    found["defaults"][item["name"]] = plain(item["schema"]["default"])
            if schema.get("post_init"):
                found["checks"].append("__post_init__")
        return ["cls", cls.__name__]

    @staticmethod
    def note(found: Any, schema: Any) -> None:
        """A validator that wraps a class's arguments."""
        function = schema["function"]["function"]
        kind = schema["type"].removeprefix("function-")
        found["checks"].append(f"{kind}:{getattr(function, '__qualname__', repr(function))}")


def engine_fields(schemas: Schemas, parser: Any) -> dict[str, Any]:
    """What the configuration classes behind the plain options accept, by destination: checked when the engine is configured,
    after parsing."""
    import vllm.config
    from pydantic import TypeAdapter

    groups = {g.title: [a.dest for a in g._group_actions] for g in parser._action_groups}
    out: dict[str, Any] = {}
    for title, dests in groups.items():
        cls: Any = getattr(vllm.config, title or "", None)
        if cls is None or not dataclasses.is_dataclass(cls) or not hasattr(cls, "__pydantic_fields__"):
            continue
        with contextlib.suppress(Exception):
            described = schemas.describe(TypeAdapter(cls).core_schema)
            out.update({d: schemas.classes[described[1]]["fields"].get(d) for d in dests})
    return {dest: description for dest, description in out.items() if description is not None}


def names() -> dict[str, list[str]]:
    """Names that validators of the configuration classes look up, where the release has them."""
    out: dict[str, list[str]] = {}
    with contextlib.suppress(Exception):
        quantization = importlib.import_module("vllm.config.quantization")
        out["quant_keys"] = sorted(quantization.QUANT_KEY_NAMES)
        shorthands = quantization._ONLINE_SHORTHANDS
        out["online"] = sorted(shorthands)
        out["online_linear"] = sorted(n for n, s in shorthands.items() if s.linear is not None)
        out["online_moe"] = sorted(n for n, s in shorthands.items() if s.moe is not None)
    with contextlib.suppress(Exception):
        out["kv_kinds"] = [m.value for m in importlib.import_module("vllm.v1.kv_cache_interface").KVCacheSpecKind]
    for module in ("vllm.entrypoints.openai.models.protocol", "vllm.entrypoints.openai.serving_models"):
        with contextlib.suppress(Exception):
            out["lora_fields"] = [f.name for f in dataclasses.fields(importlib.import_module(module).LoRAModulePath)]
    for module, manager, key in (
        ("vllm.tool_parsers", "ToolParserManager", "tool_parsers"),
        ("vllm.entrypoints.openai.tool_parsers", "ToolParserManager", "tool_parsers"),
        ("vllm.reasoning", "ReasoningParserManager", "reasoning_parsers"),
    ):
        with contextlib.suppress(Exception):
            found = getattr(importlib.import_module(module), manager)
            listed = found.list_registered() if hasattr(found, "list_registered") else found.tool_parsers
            out[key] = sorted(listed)
    return out


def option(action: Any, parser: Any, schemas: Schemas) -> dict[str, Any]:
    """One option as JSON data."""
    kind, optional, cls = unwrap(action.type)
    negatives = set(getattr(action, "negative_option_strings", ()))
    spellings = [o for o, found in parser._option_string_actions.items() if found is action]
    if type(action).__name__ == "BooleanOptionalAction":
        negatives = {o for o in spellings if o.startswith("--no-") and "--" + o[5:] in spellings}
    out = {
        "option_strings": [o for o in spellings if o not in negatives],
        "dest": action.dest,
        "action": type(action).__name__,
        "type": kind,
        "optional": optional,
        "nargs": action.nargs,
        "choices": None if action.choices is None else [plain(choice) for choice in action.choices],
        "default": None if action.default == "==SUPPRESS==" else plain(action.default),
        "const": plain(action.const),
        "required": action.required,
        "group": next((g.title for g in parser._action_groups if action in g._group_actions), ""),
        "deprecated": action in getattr(parser, "_deprecated", ()) or bool(getattr(action, "deprecated", False)),
    }
    if cls is not None:
        out["class"] = schemas.add(cls)
    return out


def main() -> None:
    """Print the dump."""
    with contextlib.redirect_stdout(io.StringIO()):
        import vllm

        parser = build_parser()
        schemas = Schemas()
        flags = [option(action, parser, schemas) for action in parser._actions]
        classes = json.loads(json.dumps(schemas.classes))
        fields = engine_fields(Schemas(), parser)
    exclusive = [[a.dest for a in g._group_actions] for g in parser._mutually_exclusive_groups]
    dump = {
        "version": vllm.__version__,
        "flags": flags,
        "exclusive": exclusive,
        "classes": classes,
        "fields": fields,
        "names": names(),
    }
    json.dump(dump, sys.stdout, indent=0)


if __name__ == "__main__":
    main()
