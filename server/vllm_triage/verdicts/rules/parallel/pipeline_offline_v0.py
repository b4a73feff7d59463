"""Pipeline stages in an offline run on V0.

## What happens
The engine refuses to start.

## Why
V0 filled its stages from an asynchronous engine alone; `LLM` runs one batch after another.

## Versions
<0.11

## Evidence
- vllm/engine/llm_engine.py, LLMEngine.step (0.6.6.post1 line 1313 to 0.10.2 line 1095)

## Fix
Serve the model with `vllm serve`, or split it by tensors.
"""

from ...context import Context
from ...engines import runs_v0
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--pipeline-parallel-size",))
def check(ctx: Context) -> Hit | None:
    if ctx.deployment.usage != "llm" or ctx.pp <= 1 or runs_v0(ctx) is not True:
        return None
    return Hit(
        message=f"An offline run asks for {ctx.pp} pipeline stages on the V0 engine.",
        effect="vLLM stops at the first step: stages are only supported through the asynchronous engine.",
        steps=(drop("--pipeline-parallel-size"),),
        fix="Serve the model with `vllm serve`, or split it with `--tensor-parallel-size` alone.",
    )
