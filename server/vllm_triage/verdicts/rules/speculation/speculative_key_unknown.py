"""A key of --speculative-config that this version does not know.

## What happens
The engine refuses to start.

## Why
The configuration class forbids unknown keys, and keys come and go between releases as flags do. The parser itself
takes any JSON object here.

## Versions
>=0.10

## Evidence
- vllm/config/speculative.py, SpeculativeConfig: its fields recorded for each release; vllm/engine/arg_utils.py,
  EngineArgs.create_speculative_config
- create_engine_config of 0.18.0 on an unknown key

## Fix
Take the key out, or spell it as this version does.
"""

from ....facts.config_fields import keys
from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None:
        return None
    known = keys("SpeculativeConfig", ctx.version)
    hyphens = ctx.at_least(0, 26)  # from here on num-speculative-tokens is read as num_speculative_tokens
    strange = [key for key in spec.raw if (key.replace("-", "_") if hyphens else key) not in known]
    if not known or not strange:
        return None
    import difflib  # noqa: PLC0415 - only for a message

    near = difflib.get_close_matches(strange[0].replace("-", "_"), list(known), 1)
    named = ", ".join(f'"{key}"' for key in strange)
    return Hit(
        message=f"--speculative-config holds {named}, which vLLM {ctx.version} does not know"
        + (f' (nearest: "{near[0]}").' if near else "."),
        effect="vLLM stops before loading.",
        steps=(put("--speculative-config", spec.but(**dict.fromkeys(strange))),),
    )
