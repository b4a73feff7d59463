"""A flag or value this version's parser refuses.

## What happens
`vllm serve` prints a usage error and exits before it reads the model.

## Why
Flags come and go between releases, and argparse refuses what it does not know. The message names what was meant where
that is certain, and the release that had the flag.

Two refusals are not this parser's to make. A platform of its own (`Platform.pre_register_and_update`) may add methods to
`--quantization`, so an unknown one is not judged before the device is known. `--omni` hands the whole command line to
vLLM-Omni.

## Versions
all

## Evidence
- the parser of each release, vllm/engine/arg_utils.py EngineArgs.add_cli_args and vllm/entrypoints/openai/cli_args.py
  (vllm/entrypoints/common/cli_args.py from 0.33), recorded flag by flag
- vllm/entrypoints/cli/main.py, maybe_run_omni (0.20.0 to 0.33.0)

## Fix
Take the flag out, or use the one that replaced it.
"""

from collections.abc import Iterator

from ....facts.config_fields import field_of
from ...context import Context, Needs
from ...rule import Hit, drop, rule


def _open_to_platforms(ctx: Context) -> bool:
    """True when the device is not known to be one whose platform is vLLM's own."""
    return ctx.plugins or ctx.gpu is None or ctx.gpu.vendor not in ("nvidia", "amd")


@rule("fatal", flags=())
def check(ctx: Context) -> Iterator[Hit]:
    fatal = [problem for problem in ctx.deployment.problems if problem.severity == "fatal"]
    if any(problem.flag == "--omni" for problem in fatal):
        raise Needs("vLLM-Omni's own options")
    undecided = False
    for problem in fatal:
        flag = problem.flag or ""
        if problem.code == "out-of-range" and field_of(flag, ctx.version) is not None:
            continue  # value-out-of-range tells it
        if flag == "--quantization" and problem.code == "invalid-value" and _open_to_platforms(ctx):
            undecided = True
            continue
        yield Hit(
            message=problem.message,
            effect=f"The parser of vLLM {ctx.version} refuses the command line; nothing is loaded.",
            fix=problem.fix or "Remove it.",
            flags=(flag,) if flag else (),
            steps=(drop(flag),) if flag.startswith("-") else (),
        )
    if undecided:
        raise Needs("plugins" if ctx.plugins else "gpu")
