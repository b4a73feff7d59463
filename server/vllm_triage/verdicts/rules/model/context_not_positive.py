"""max_model_len 0.

## What happens
The engine refuses to start.

## Why
A context holds at least one token. -1 and `auto` ask for the longest that fits the KV pool (from 0.14).

## Versions
>=0.11

## Evidence
- vllm/config/model.py, ModelConfig (from 0.19 a message of its own; 0.18.0 fails on the token budget derived from it)
- create_engine_config of 0.18.0 to 0.33.0 on `--max-model-len 0`

## Fix
Give a positive length, or leave it out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--max-model-len",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("max_model_len") != 0:
        return None
    if not ctx.at_least(0, 19) and ctx.given("max_num_batched_tokens"):
        return None  # accepted: only the token budget derived from it was refused
    return Hit(
        message="--max-model-len is 0.",
        effect="vLLM stops before loading.",
        steps=(drop("--max-model-len"),),
    )
