"""Ask a release's own parser what it makes of generated command lines. Run by an interpreter in which that release can be imported.

    python record_arguments.py LINES.jsonl > ANSWERS.jsonl

A line is ``{"a": [words], "e": entrypoint, "c": mapping of a --config file}`` (``e`` and ``c`` optional; ``serve`` unless said).
An answer is the line with ``"v"``: the values that differ from the defaults, or ``"x"``: the last words of the refusal.
"""

import contextlib
import dataclasses
import enum
import io
import json
import os
import sys
import tempfile
from typing import Any

from release_dump import build_parser


def plain(value: Any) -> Any:
    """A parsed value as JSON data; a configuration object as the fields that differ from a fresh one."""
    made: Any = type(value)
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, bool | int | float | str | None):
        return value
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value):
        names = [f.name for f in dataclasses.fields(value) if f.init]
        with contextlib.suppress(Exception):
            fresh = made()
            return {n: plain(getattr(value, n)) for n in names if plain(getattr(value, n)) != plain(getattr(fresh, n))}
        return {n: plain(getattr(value, n, None)) for n in names}
    return repr(value)


class Recorder:
    """The release's parsers, and their defaults."""

    def __init__(self) -> None:
        serve = build_parser()
        self.flexible = type(serve)
        self.root = self.flexible(prog="vllm")
        subparsers = self.root.add_subparsers(dest="subparser")
        subparsers.add_parser("serve")
        subparsers._name_parser_map["serve"] = serve
        self.api_server = build_parser()
        self.defaults = {name: plain(v) for name, v in vars(self.parsed_alone()).items()}

    def parsed_alone(self) -> Any:
        """What nothing but a model (where one is required) is parsed to."""
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                return self.root.parse_args(["serve"])
        except SystemExit:
            found = self.root.parse_args(["serve", "m"])
            found.model_tag = None
            return found

    def ask(self, line: dict[str, Any]) -> dict[str, Any]:
        """The line with its answer."""
        said, written = io.StringIO(), line.get("c")
        if written is not None:
            import yaml

            with open("launch.yaml", "w", encoding="utf-8") as file:
                yaml.safe_dump(written, file, sort_keys=False)
        try:
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
                if line.get("e") == "api_server":
                    found = self.api_server.parse_args(list(line["a"]))
                else:
                    found = self.root.parse_args(["serve", *line["a"]])
        except SystemExit:
            return line | {"x": " ".join(said.getvalue().strip().splitlines()[-1:])[-160:]}
        except Exception as error:
            return line | {"x": f"{type(error).__name__}: {error}"[:160]}
        values = {name: plain(value) for name, value in vars(found).items()}
        return line | {"v": {n: v for n, v in values.items() if n != "subparser" and self.defaults.get(n) != v}}


def main() -> None:
    """Answer every line."""
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    out = sys.stdout
    with contextlib.redirect_stdout(io.StringIO()):
        recorder = Recorder()
    os.chdir(tempfile.mkdtemp())
    for line in lines:
        print(json.dumps(recorder.ask(line), ensure_ascii=False, separators=(",", ":")), file=out)


if __name__ == "__main__":
    main()
