"""A reasoning parser this version does not have.

## What happens
The server refuses to start: invalid reasoning parser.

## Why
Parsers are named after model families and arrive with them.

## Versions
>=0.9

## Evidence
- vllm/entrypoints/openai/api_server.py, validate_api_server_args (0.18.0 line 508);
  vllm/entrypoints/common/cli_args.py (0.33.0 line 630); the parsers of every release recorded from vllm/reasoning
- create_engine_config of 0.33.0 on an unknown name

## Fix
Use one of the names listed, or --reasoning-parser-plugin for one of your own.
"""

from ....facts.output_parsers import first_seen, parsers
from ....facts.versions import number
from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--reasoning-parser",), needs=("plugins",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("reasoning_parser")
    if not isinstance(asked, str) or not asked or ctx.arg("reasoning_parser_plugin"):
        return None
    known = parsers("reasoning", ctx.version)
    if not known or asked in known:
        return None
    ctx.need_own_names()
    first = first_seen("reasoning", asked)
    later = f"; it comes with {first}" if first is not None and number(first) > ctx.release else ""
    return Hit(
        message=f"--reasoning-parser {asked} is not a parser of vLLM {ctx.version}{later}.",
        effect="The server stops before loading.",
        steps=(drop("--reasoning-parser"),),
        fix=f"Use one of {', '.join(sorted(known))}.",
    )
