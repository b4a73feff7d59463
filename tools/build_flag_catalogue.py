"""Write the flag catalogue from dumps of each release's own parser.

    python tools/build_flag_catalogue.py DUMPS

DUMPS is a folder of VERSION.json files, each what one release's ``vllm serve`` parser holds (option strings, action, nargs,
type, choices, default, const, group). The catalogue stores every option once, with what changed in which release.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CATALOGUE = ROOT / "server" / "vllm_triage" / "facts" / "data" / "flags.json"

ACTIONS = {
    "_StoreAction": "store", "_StoreTrueAction": "flag", "BooleanOptionalAction": "bool", "EnableDisableAction": "toggle",
    "_AppendAction": "append", "_HelpAction": "help", "LoRAParserAction": "lora", "PromptAdapterParserAction": "adapter",
    "DeprecatedLogConfigFileAction": "store",
}  # fmt: skip
TYPES = {
    None: "str", "str": "str", "int": "int", "float": "float", "bool": "bool", "loads": "json",
    "human_readable_int": "human", "human_readable_int_or_auto": "human_auto", "union_dict_and_str": "dict_or_str",
    "_compute_kwargs.<locals>.parse_dataclass": "config", "parse_type.<locals>._parse_type": "json",
    "parse_type.<locals>._parse_type<loads>": "json", "EngineArgs.add_cli_args.<locals>.<lambda>": "backend",
    "parse_reasoning_parser": "str", "CompilationConfig.from_cli": "config", "KVTransferConfig.from_cli": "config",
    "PoolerConfig.from_json": "config",
}  # fmt: skip
INVERSE = {"--enable-": "--disable-", "--disable-": "--enable-"}


def declared(options: list[str], action: str) -> list[str]:
    """The option strings as declared, without the negative forms the parser adds by itself."""
    if action not in ("bool", "toggle"):
        return options
    kept: list[str] = []
    for option in options:
        negated = option.startswith("--no-") and "--" + option.removeprefix("--no-") in options
        inverse = any(option.startswith(p) and other + option.removeprefix(p) in kept for p, other in INVERSE.items())
        if not negated and not (action == "toggle" and inverse):
            kept.append(option)
    return kept


def row(flag: dict[str, Any]) -> dict[str, Any]:
    """One option of one release, in the catalogue's short form (absent means None, False or empty)."""
    action = ACTIONS[flag["action"]]
    kind = flag["type"]
    optional = re.fullmatch(r"optional_type\.<locals>\._optional_type<(.*)>", kind or "")
    kind = TYPES[optional[1] if optional else kind]
    default = flag["default"]
    if kind == "config" and default is not None:
        default = {}
    out: dict[str, Any] = {"o": declared(flag["option_strings"], action), "a": action, "g": flag["group"]}
    if action in ("store", "append", "lora", "adapter"):
        out["t"] = kind + ("?" if optional else "")
    if flag["nargs"] not in (None, 0):
        out["n"] = flag["nargs"]
    if flag["choices"]:
        out["c"] = flag["choices"]
    if default not in (None, "==SUPPRESS=="):
        out["d"] = default
    if flag["const"] is not None and action == "store":
        out["k"] = flag["const"]
    return out


def main() -> None:
    """Read the dumps, write the catalogue."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("dumps", type=Path)
    dumps = arguments.parse_args().dumps
    versions = sorted((p.stem for p in dumps.glob("*.json")), key=lambda v: tuple(int(part) for part in v.split(".")))
    releases = [{f["dest"]: row(f) for f in json.loads((dumps / f"{v}.json").read_text())["flags"]} for v in versions]
    order: list[str] = []
    for release in reversed(releases):  # the newest release's order, older options behind their old neighbour
        previous = -1
        for dest in release:
            if dest in order:
                previous = order.index(dest)
            else:
                previous += 1
                order.insert(previous, dest)
    flags: dict[str, list[Any]] = {}
    for dest in order:
        changes: list[Any] = []
        before: dict[str, Any] | None = None
        for index, release in enumerate(releases):
            now = release.get(dest)
            if now == before:
                continue
            if now is None or before is None:
                changes.append([index, now])
            else:
                keys = {*now, *before}
                changes.append([index, {k: now.get(k) for k in sorted(keys) if now.get(k) != before.get(k)}])
            before = now
        flags[dest] = changes
    lines = ",\n".join(f"{json.dumps(dest)}:{json.dumps(c, separators=(',', ':'))}" for dest, c in flags.items())
    CATALOGUE.write_text(f'{{"versions":{json.dumps(versions)},\n"flags":{{\n{lines}\n}}}}\n')
    print(f"{CATALOGUE}: {len(versions)} releases, {len(flags)} options, {CATALOGUE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
