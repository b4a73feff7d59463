"""A tool-call parser this version does not have.

## What happens
The server refuses to start: invalid tool call parser.

## Why
Parsers are named after model families and arrive with them.

## Versions
>=0.6.6

## Evidence
- vllm/entrypoints/openai/api_server.py, validate_api_server_args (0.18.0 line 499);
  vllm/entrypoints/common/cli_args.py (0.33.0 line 621); the parsers of every release recorded from vllm/tool_parsers

## Fix
Use one of the names listed, or --tool-parser-plugin for one of your own.
"""

from ....facts.output_parsers import first_seen, parsers
from ....facts.versions import number
from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--tool-call-parser",), needs=("plugins",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("tool_call_parser")
    if not isinstance(asked, str) or ctx.arg("tool_parser_plugin") or ctx.arg("enable_auto_tool_choice") is not True:
        return None
    known = parsers("tool", ctx.version)
    if not known or asked in known:
        return None
    ctx.need_own_names()
    first = first_seen("tool", asked)
    later = f"; it comes with {first}" if first is not None and number(first) > ctx.release else ""
    return Hit(
        message=f"--tool-call-parser {asked} is not a parser of vLLM {ctx.version}{later}.",
        effect="The server stops before loading.",
        steps=(drop("--tool-call-parser"), drop("--enable-auto-tool-choice")),
        fix=f"Use one of {', '.join(sorted(known))}.",
    )
