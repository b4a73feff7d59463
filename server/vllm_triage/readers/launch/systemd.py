"""systemd units: ``ExecStart=`` with the variables of ``Environment=``."""

import re

from ..lazy import Lazy
from .draft import Reading
from .shell import Walk, commands_of, read_shell
from .shell_variables import Scope

__all__ = ["looks_like_unit", "read_unit"]

_UNIT = Lazy(r"^\s*\[(?:Unit|Service|Container|program:[\w.-]+)\]\s*$|^\s*Exec(?:Start|StartPre)?=", re.M)
_LINE = Lazy(r"^\s*([A-Za-z_]+)\s*=(.*)$", re.S)
_SHELL = Lazy(r"\s*(?:local |export )?[a-z_]\w*\+?=")  # a script's lines around the unit it writes
_SUPERVISED = Lazy(r"%\(ENV_(\w+)\)s")
_PREFIX = Lazy(r"^[@:+!|-]+")
_LISTED = Lazy(r"([A-Za-z_]\w*)=(?:\"([^\"]*)\"|'([^']*)'|([^,\s]*))")
_PAIR = Lazy(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|(\S+)")


def looks_like_unit(text: str) -> bool:
    """True for a unit file or the part of one that starts something."""
    if "[" not in text and "Exec" not in text:
        return False
    return _UNIT.search(text) is not None and "#!/" not in text[:200]


def read_unit(text: str, reading: Reading, line: int = 1) -> bool:
    """Read what the unit starts; False when it starts no vLLM server."""
    before = len(reading.drafts)
    scope = Scope()
    files: list[str] = []
    image = ""
    commands: list[tuple[int, str]] = []
    for number, content in _logical_lines(text):
        match = _LINE.match(content)
        key = match[1] if match else ""
        value = match[2].strip() if match else ""
        if key == "Environment":
            for quoted, single, bare in _PAIR.findall(value):
                name, equals, given = (quoted or single or bare).replace('\\"', '"').partition("=")
                if equals:
                    scope.values[name] = given
                    scope.exported.add(name)
        elif key == "EnvironmentFile":
            files.append(value.lstrip("-"))
        elif key == "environment":  # supervisor: A="1",B="2"
            for name, double, single, bare in _LISTED.findall(value):
                scope.values[name] = double or single or bare
                scope.exported.add(name)
        elif key == "Image":  # a quadlet: podman runs it
            image = value
        elif key in ("ExecStart", "Exec", "command") and value:
            if key == "Exec" and image:
                value = f"podman run {image} {value}"
            value = _SUPERVISED.sub(r"${\1}", value)
            commands.append((number, _PREFIX.sub("", value).replace("\\$", "$").replace('\\"', '"')))
        elif _SHELL.match(content):
            aside = Reading()
            Walk(content, aside, scope, "shell").run(commands_of(content, scope, aside))
    for number, command in commands:  # last: where in the unit a variable is set does not matter
        if reading.full:
            break
        read_shell(command, reading, "systemd", scope.copy(), line=line + number, where="ExecStart")
    for draft in reading.drafts[before:]:
        draft.source = "systemd"
        draft.unread.extend(f"{draft.place}: EnvironmentFile {name} is not in this paste" for name in files)
    return len(reading.drafts) > before


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """Lines with their continuations joined; comments dropped."""
    found: list[tuple[int, str]] = []
    pending: list[str] = []
    start = 0
    for number, line in enumerate(text.split("\n")):
        if line.lstrip().startswith(("#", ";")):
            continue
        start = start if pending else number
        stripped = line.rstrip()
        if stripped.endswith("\\"):
            pending.append(stripped.rstrip("\\"))
            continue
        found.append((start, " ".join([*pending, line])))
        pending = []
    if pending:
        found.append((start, " ".join(pending)))
    return found
