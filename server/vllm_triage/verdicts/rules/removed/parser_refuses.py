"""A flag or value this version's parser refuses.

## What happens
`vllm serve` prints a usage error and exits before it reads the model.

## Why
Flags come and go between releases, and argparse refuses what it does not know. The message names what was meant where
that is certain, and the release that had the flag.

## Versions
all

## Evidence
- the parser of each release, vllm/engine/arg_utils.py EngineArgs.add_cli_args and vllm/entrypoints/openai/cli_args.py
  (vllm/entrypoints/common/cli_args.py from 0.33), recorded flag by flag

## Fix
Take the flag out, or use the one that replaced it.
"""

from collections.abc import Iterator

from ....facts.config_fields import field_of
from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=())
def check(ctx: Context) -> Iterator[Hit]:
    for problem in ctx.deployment.problems:
        flag = problem.flag or ""
        if problem.severity != "fatal" or (problem.code == "out-of-range" and field_of(flag, ctx.version) is not None):
            continue  # value-out-of-range tells the latter
        yield Hit(
            message=problem.message,
            effect=f"The parser of vLLM {ctx.version} refuses the command line; nothing is loaded.",
            fix=problem.fix or "Remove it.",
            flags=(flag,) if flag else (),
            steps=(drop(flag),) if flag.startswith("-") else (),
        )
