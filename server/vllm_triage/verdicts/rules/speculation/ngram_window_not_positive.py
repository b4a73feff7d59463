"""An n-gram window of no tokens.

## What happens
The engine refuses to start.

## Why
A match must be of at least one token. Up to 0.8.1 the largest window has no default either.

## Versions
<0.11

## Evidence
- vllm/config.py, SpeculativeConfig.maybe_create_spec_config (0.6.6.post1 to 0.8.1; 0.7.3 lines 1820 to 1829) and
  __post_init__ (0.8.2 to 0.10.0)

## Fix
Give --ngram-prompt-lookup-max, or "prompt_lookup_max", of one token or more.
"""

from ....domain import FixStep
from ...context import Context
from ...rule import Hit, put, rule

_KEYS = ("prompt_lookup_max", "prompt_lookup_min")


@rule("fatal", flags=("--speculative-config", "--ngram-prompt-lookup-max", "--ngram-prompt-lookup-min"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method != "ngram":
        return None
    wrong = {key: held for key in _KEYS if isinstance(held := spec.raw.get(key), int) and held < 1}
    if not ctx.at_least(0, 8, 2) and spec.raw.get("prompt_lookup_max") is None:
        wrong["prompt_lookup_max"] = 0
    if not wrong:
        return None
    kept = {key: 4 if key.endswith("max") else 1 for key in wrong}
    steps: tuple[FixStep, ...] = tuple(put(f"--ngram-{key.replace('_', '-')}", held) for key, held in kept.items())
    if ctx.given("speculative_config"):
        steps = (put("--speculative-config", spec.but(**kept)),)
    return Hit(
        message=" and ".join(f"{key} is {held or 'not given'}" for key, held in wrong.items()) + "; it must be 1 or more.",
        effect="vLLM stops before loading.",
        steps=steps,
    )
