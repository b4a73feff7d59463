"""A tool-call parser without --enable-auto-tool-choice.

## What happens
A request with tool_choice "auto" is refused with HTTP 400.

## Why
The parser is used only where the switch allows the model to choose a tool.

## Versions
>=0.6.6

## Evidence
- vllm/entrypoints/openai/chat_completion/serving.py (0.18.0: "auto" tool choice requires --enable-auto-tool-choice
  and --tool-call-parser)

## Fix
Add --enable-auto-tool-choice.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("advice", flags=("--tool-call-parser", "--enable-auto-tool-choice"))
def check(ctx: Context) -> Hit | None:
    if not ctx.arg("tool_call_parser") or ctx.arg("enable_auto_tool_choice") is True:
        return None
    return Hit(
        message=f"--tool-call-parser {ctx.arg('tool_call_parser')} is given without --enable-auto-tool-choice.",
        effect='Requests with tools and tool_choice "auto" (the default) get HTTP 400.',
        steps=(put("--enable-auto-tool-choice", True),),
    )
