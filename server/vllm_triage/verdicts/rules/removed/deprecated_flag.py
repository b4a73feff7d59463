"""A deprecated flag.

## What happens
The flag is accepted with a warning, or silently without effect; a later release refuses it.

## Why
vLLM keeps a flag for a few releases after it renamed or emptied it.

## Versions
all

## Evidence
- the parser of each release, vllm/engine/arg_utils.py EngineArgs.add_cli_args, recorded flag by flag with its
  deprecation notes

## Fix
Use what replaced it, or take it out.
"""

from collections.abc import Iterator

from ....facts.flags import FlagHistory, history
from ....facts.versions import KNOWN
from ....facts.versions import number as _number
from ...context import Context
from ...rule import Hit, drop, rule


def _after(found: FlagHistory | None, version: str) -> Iterator[str]:
    """The releases after `version` that no longer have the flag."""
    if found is None or not found.spans:
        return
    last = found.spans[-1][1]
    if last is not None and _number(last) >= _number(version):
        yield from (known for known in KNOWN if _number(known) > _number(last))


@rule("advice", flags=())
def check(ctx: Context) -> Iterator[Hit]:
    for reading in ctx.deployment.flags:
        if reading.status != "deprecated":
            continue
        found = history(reading.flag)
        gone = next((number for number in _after(found, ctx.version)), None)
        yield Hit(
            message=f"{reading.flag} is deprecated in {ctx.version}" + (f": {reading.note}." if reading.note else "."),
            effect=f"vLLM {gone} refuses it." if gone else "A later release will refuse it.",
            flags=(reading.flag,),
            steps=(drop(reading.flag),),
            fix=f"Remove `{reading.flag}`" + (f" ({reading.note})." if reading.note else "."),
        )
