"""More active sequences than sequences.

## What happens
The engine refuses to start.

## Why
max_num_active_seqs limits how many of the admitted sequences are scheduled in a step.

## Versions
>=0.31

## Evidence
- vllm/config/scheduler.py, SchedulerConfig.verify_max_model_len (0.31.0 line 340, 0.33.0 line 342)

## Fix
Lower --max-num-active-seqs.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--max-num-active-seqs", "--max-num-seqs"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    active = ctx.whole("max_num_active_seqs")
    if active <= 0:
        return None
    seats = ctx.need_number("max_num_seqs")
    if active <= seats:
        return None
    return Hit(
        message=f"max_num_active_seqs {active} is larger than max_num_seqs {seats}.",
        effect="vLLM stops before loading.",
        steps=(put("--max-num-active-seqs", seats),),
    )
