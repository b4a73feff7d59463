"""An EAGLE head over more than one rank, on V0.

## What happens
The engine stops while it makes its workers.

## Why
V0 ran the head on one rank alone; asked for nothing, it takes as many as the target.

## Versions
<0.10

## Evidence
- vllm/spec_decode/spec_decode_worker.py, SpecDecodeWorker.create_worker (0.6.6.post1 line 182 to 0.9.2 line 192)

## Fix
Run the draft on one rank.
"""

from ....domain import FixStep
from ...context import Context
from ...engines import runs_v0
from ...rule import Hit, put, rule

_FLAG = "--speculative-draft-tensor-parallel-size"


@rule("fatal", flags=("--speculative-config", _FLAG, "--tensor-parallel-size"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method not in ("eagle", "eagle3") or ctx.tp == 1 or runs_v0(ctx) is not True:
        return None
    size = spec.raw.get("draft_tensor_parallel_size", ctx.tp)
    if size == 1:
        return None
    steps: tuple[FixStep, ...] = (put(_FLAG, 1),)
    if ctx.given("speculative_config"):
        steps = (put("--speculative-config", spec.but(draft_tensor_parallel_size=1)),)
    return Hit(
        message=f"The EAGLE head runs on {size} ranks; V0 runs it on one.",
        effect="vLLM stops: EAGLE does not support TP > 1 yet.",
        steps=steps,
    )
