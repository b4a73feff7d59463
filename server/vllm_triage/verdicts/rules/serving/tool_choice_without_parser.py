"""--enable-auto-tool-choice without a tool-call parser.

## What happens
The server refuses to start.

## Why
Tool calls are cut out of the model's text by a parser for that model's format.

## Versions
all

## Evidence
- vllm/entrypoints/openai/cli_args.py, validate_parsed_serve_args (0.18.0 line 367);
  vllm/entrypoints/launchers/cli_args.py (0.31.0 line 469); vllm/entrypoints/common/cli_args.py (0.33.0 line 554)

## Fix
Add --tool-call-parser with the parser of the model's family.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-auto-tool-choice", "--tool-call-parser"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_auto_tool_choice") is not True or ctx.arg("tool_call_parser"):
        return None
    return Hit(
        message="--enable-auto-tool-choice is given without --tool-call-parser.",
        effect="The server stops before loading.",
        steps=(drop("--enable-auto-tool-choice"),),
        fix="Add `--tool-call-parser NAME` (hermes, llama3_json, mistral, qwen3_coder, ... by model family), or remove "
        "`--enable-auto-tool-choice`.",
    )
