"""The sub-commands: one per tool, ``call`` and ``mcp``.

The options of a sub-command are made from its tool's published schema, so both doors accept the same things under the
same names (``--ttft-ms-mean`` for ``ttft_ms_mean``). Only the tool that is asked for is imported.
"""

import argparse
import gc
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from .. import __version__
from ..facts.versions import NEWEST
from ..report import tools
from ..report.arguments import BadArguments
from ..report.schemas import published
from .bar import shown_progress
from .doors import add_server_options, add_tool_options, open_for_server, open_for_tool

__all__ = ["BAD_INPUT", "OK", "dispatch"]

OK, FOUND, BAD_INPUT = 0, 1, 2
FILES = ("evidence", "model_config")
"""Arguments whose option names a file."""

_EPILOG = """\
INPUT is a file, - for standard input, or the text itself: a launch in any form people paste, or a model id.
Of several files the first is the launch, the others are evidence (logs, /metrics, benchmark results).
Everything after -- is one launch:  vllm-triage kv -- vllm serve Qwen/Qwen3-8B --max-model-len 32k
Exit status: 0 nothing wrong, 1 there are findings, 2 the input is bad."""


_MORE = {"simulate_change": """

One --change for each configuration to try:  vllm-triage simulate launch.sh --gpu h100 --evidence bench.json \\
  --change "--max-num-seqs 512" --change "--kv-cache-dtype fp8 without --enforce-eager"
--schedule FILE prints the trace the scheduler of a release leaves for scenarios, one JSON object a line."""}


def dispatch(words: list[str]) -> int:
    """Run the command the words name; returns the exit status.

    Raises:
        ValueError: bad input, in the words of :func:`vllm_triage.report.tools.is_domain_error`'s classes.
    """
    doors: dict[str, Callable[[list[str]], int]] = {"call": _call, "mcp": _mcp}
    if words and words[0] in doors:
        return doors[words[0]](words[1:])
    if words[:1] == ["simulate"] and any(word.split("=")[0] == "--schedule" for word in words):
        return _schedule(words[1:])
    if words and any(words[0] in (tool.word, tool.name) for tool in tools.TOOLS):
        return _tool(tools.find(words[0]), words[1:])
    parser = _parser("vllm-triage", "Why is my TTFT high? A scheduler diagnosis of vLLM.", _EPILOG)
    parser.add_argument("--version", action="version", version=f"vllm-triage {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for tool in tools.TOOLS:
        commands.add_parser(tool.word, help=tool.title, add_help=False)
    commands.add_parser("call", help="Call a tool with JSON, print its JSON", add_help=False)
    commands.add_parser("mcp", help="Serve MCP on stdio or HTTP", add_help=False)
    parser.parse_args(words)
    parser.print_help()
    return OK if not words else BAD_INPUT


def _parser(name: str, description: str, epilog: str = "") -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        prog=name, description=description, epilog=epilog, allow_abbrev=False,
        formatter_class=_Help,
    )


class _Help(argparse.RawDescriptionHelpFormatter):
    """argparse makes one for every option it is told of, and asks shutil (zlib, bz2, lzma) for the width each time."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_width())


@cache
def _width() -> int:
    """Columns of the terminal less two, as argparse itself has it; 78 where there is none."""
    given = os.environ.get("COLUMNS", "")
    try:
        return (int(given) if given.isdecimal() and int(given) else os.get_terminal_size(1).columns) - 2
    except OSError:
        return 78


# ---------------------------------------------------------------------------------------------------- one tool


def _tool(tool: tools.Tool, words: list[str]) -> int:
    arguments = published()[tool.name]["input"]["properties"]
    positional = "command" if "command" in arguments else next(iter(arguments))
    epilog = _EPILOG if positional == "command" else ""
    parser = _parser(f"vllm-triage {tool.word}", tool.description, epilog + _MORE.get(tool.name, ""))
    parser.add_argument("input", nargs="*", metavar="INPUT" if positional == "command" else positional.upper())
    parser.add_argument("--json", action="store_true", help="print the structured object")
    for name, schema in arguments.items():
        _option(parser, name, schema, hidden=name == positional)
    if positional == "command":
        add_tool_options(parser)
    options, flags = parser.parse_known_args(list(_glued(words)))
    if flags and positional == "command":
        parser.error(f"unrecognized arguments: {' '.join(flags)} (quote the launch, or put it after --)")
    options.input += flags  # explain --max-num-seqs
    given = {name: _value(name, text) for name in arguments if (text := getattr(options, name))}
    inputs = [given.pop(positional)] if positional in given else options.input
    if positional == "command":
        open_for_tool(options)
        inputs = inputs or ([f"vllm serve {shlex.quote(options.model_dir)}"] if options.model_dir else [])
    given |= _inputs(inputs, positional, evidence="evidence" in arguments, already=given.get("evidence", []))
    with shown_progress():
        answer = tool.run(given)
    print(json.dumps(answer.to_json(), ensure_ascii=False, indent=2) if options.json else answer.to_text())
    return FOUND if answer.found() else OK


def _glued(words: list[str]) -> Iterator[str]:
    """``--change --enforce-eager`` as one word: what follows is the change, though it begins with dashes."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield from (word, *rest)
        elif word in _TAKE_FLAGS and (value := next(rest, None)) is not None:
            yield f"--changes={value}"
        else:
            yield "--changes=" + word.partition("=")[2] if word.startswith("--change=") else word


_TAKE_FLAGS = frozenset({"--change", "--changes"})


def _option(parser: argparse.ArgumentParser, name: str, schema: dict[str, Any], *, hidden: bool) -> None:
    """One option; what it holds is checked where every tool's arguments are."""
    number = schema.get("type") in ("number", "integer")
    parser.add_argument(
        "--" + name.replace("_", "-"), dest=name, action="append" if schema.get("type") == "array" else "store",
        metavar="FILE" if name in FILES else "N" if number else name.rpartition("_")[2].upper(),
        help=argparse.SUPPRESS if hidden else str(schema.get("description", "")).replace("%", "%%"),
    )


def _value(name: str, given: Any) -> Any:
    """What an option means: a file's content for evidence and model_config, else the text as it is."""
    if name == "evidence":
        return [_content(path) for path in given]
    if name == "workload":
        return _content(given) if given == "-" or _is_file(given) else given
    return _content(given) if name == "model_config" else given


def _inputs(inputs: list[str], positional: str, *, evidence: bool, already: list[str]) -> dict[str, Any]:
    """The free arguments: one launch, spelt as one text, as files, or as words.

    Of several files the first is the launch and the others are evidence.
    """
    if not inputs:
        return {}
    if len(inputs) > 1 and evidence and _is_file(inputs[0]):
        return {positional: _content(inputs[0]), "evidence": [*(_content(path) for path in inputs[1:]), *already]}
    if len(inputs) > 1:
        return {positional: shlex.join(inputs) if positional == "command" else " ".join(inputs)}
    return {positional: _content(inputs[0]) if inputs[0] == "-" or _is_file(inputs[0]) else inputs[0]}


def _is_file(text: str) -> bool:
    """True when `text` names a readable file; a launch pasted as one argument never does."""
    try:
        return len(text) < 4096 and "\n" not in text and Path(text).is_file()
    except (OSError, ValueError):
        return False


def _content(path: str) -> str:
    """The text of a file, or of standard input for ``-``."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        raise BadArguments(f"cannot read {path[:200]!a}: {reason}") from None
    return data.decode("utf-8", errors="replace")


# ------------------------------------------------------------------------------------------------- call and mcp


def _call(words: list[str]) -> int:
    parser = _parser("vllm-triage call", "Call a tool with JSON arguments and print exactly its structured content.")
    parser.add_argument("tool", nargs="?", metavar="TOOL", help=", ".join(tool.name for tool in tools.TOOLS))
    parser.add_argument("arguments", nargs="?", metavar="JSON", help="an object, a file holding one, or -")
    parser.add_argument("--batch", metavar="FILE", help=(
        'one object a line: the arguments of TOOL, or {"tool": ..., "arguments": ...} without TOOL; '
        'line N of what comes out answers line N; {"error": ..., "line": N} for one that is wrong or blank'))
    options = parser.parse_args(words)
    if options.batch is not None:
        if options.arguments is not None:
            parser.error("give JSON or --batch, not both")
        return _batch(options.tool, _lines(_content(options.batch)))
    if options.tool is None or options.arguments is None:
        parser.error("TOOL and JSON are required")
    text = options.arguments
    given = _object(_content(text) if text == "-" or _is_file(text) else text)
    print(_dumps(tools.call(options.tool, given).to_json()))
    return OK


def _batch(tool: str | None, lines: list[str]) -> int:
    if tool is not None:
        tools.find(tool)  # a wrong name is said once, not on every line
    status = OK
    for line, error in _answers(tool, lines):
        print(line)
        status = BAD_INPUT if error else status
    return status


def _lines(text: str) -> list[str]:
    """The lines as other programs count them: JSON may hold the rarer line ends of Unicode inside its texts."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def _answers(tool: str | None, lines: list[str]) -> Iterator[tuple[str, bool]]:
    """One line for each line, and whether it is an error: a caller pairs them by number, so that none may be missing."""
    for number, line in enumerate(lines, 1):
        try:
            if not line.strip():
                raise BadArguments("the line is blank")
            given = _object(line)
            if tool is None:
                yield _dumps(tools.call(str(given.get("tool")), _object(given.get("arguments", {}))).to_json()), False
            else:
                yield _dumps(tools.call(tool, given).to_json()), False
        except ValueError as error:
            if not tools.is_domain_error(error):
                raise
            yield _dumps({"error": str(error), "line": number}), True


def _object(text: object) -> dict[str, Any]:
    """A JSON object, from its text or as it is."""
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError) as error:
        raise BadArguments(f"not JSON: {error}") from None
    if not isinstance(found, dict):
        raise BadArguments('expected a JSON object, such as {"command": "vllm serve Qwen/Qwen3-8B"}')
    return found


_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}
"""Characters of a JSON text at which some readers begin a new line."""


def _dumps(answer: dict[str, Any]) -> str:
    """An answer on one line, however lines are counted."""
    return json.dumps(answer, ensure_ascii=False).translate(_LINE_ENDS)


def _schedule(words: list[str]) -> int:
    parser = _parser("vllm-triage simulate", "Schedule requests step by step, as vLLM's own scheduler does.")
    parser.add_argument("--schedule", metavar="FILE", required=True, help=(
        "scenarios, one JSON object a line (- for standard input); each comes out with its trace: who computed how many "
        "tokens in which step, who waited or was preempted, free blocks"))
    parser.add_argument("--vllm-version", metavar="VERSION", default=NEWEST, help=f"whose rules (default: {NEWEST})")
    options = parser.parse_args(words)
    from ..report.schedules import schedules  # noqa: PLC0415 (the other commands start without the simulator)

    status = OK
    for answer in schedules(_content(options.schedule), options.vllm_version):
        print(json.dumps(answer, separators=(",", ":")))
        status = FOUND if "refused" in answer else status
    return status


def _mcp(words: list[str]) -> int:
    parser = _parser("vllm-triage mcp", "Serve the tools over MCP, on stdio unless --http is given.")
    parser.add_argument("--http", metavar="HOST:PORT", help="streamable HTTP at /mcp; a bare port is on 127.0.0.1")
    parser.add_argument("--allow-host", metavar="NAME", action="append", default=[],
                        help="host name clients use to reach a server that is not on loopback (repeatable)")
    add_server_options(parser)
    options = parser.parse_args(words)
    open_world = open_for_server(options)
    address = None if options.http is None else _address(options.http)
    if address and not options.allow_host and address[0] not in ("127.0.0.1", "localhost", "::1"):
        raise BadArguments(f"--http {options.http} is not loopback: name the host clients use with --allow-host")
    from .mcp import serve  # noqa: PLC0415 (the command line starts without the SDK)

    gc.freeze()  # what is loaded now stays: the collector need not look at it again
    serve(address, options.allow_host, open_world=open_world)
    return OK


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise BadArguments(f"--http {text[:100]!a}: expected HOST:PORT or PORT")
    return host.strip("[]") or "127.0.0.1", int(port)
