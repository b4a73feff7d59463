"""A flag that does nothing in this version.

## What happens
The flag is accepted and changes nothing.

## Why
Flags of the V0 engine stayed in the parser after what they controlled was gone: the V1 engine recomputes preempted
requests and never swaps.

## Versions
all

## Evidence
- vllm/config/cache.py CacheConfig.swap_space, counted against host memory only (0.16.0 line 226);
  vllm/v1/core/sched/scheduler.py, Scheduler._preempt_request (0.18.0 line 929); vllm/config/vllm.py (0.32.0: cascade
  attention removed)

## Fix
Take it out.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, rule
from ...specifier import holds

_EMPTY = {
    "swap_space": (">=0.11,<0.18", "preempted requests are recomputed, nothing is swapped to the CPU"),
    "preemption_mode": (">=0.11", "preempted requests are always recomputed"),
    "num_lookahead_slots": (">=0.11,<0.12", "the V1 scheduler derives them from speculation"),
    "disable_async_output_proc": (">=0.11", "it belonged to the V0 engine"),
    "scheduler_delay_factor": (">=0.11", "the V1 scheduler does not delay prompts"),
    "enable_prompt_adapter": (">=0.10", "prompt adapters belonged to the V0 engine"),
    "disable_cascade_attn": (">=0.32", "cascade attention is gone"),
    "mamba_cache_mode": (">=0.33", "it follows --enable-prefix-caching"),
    "calculate_kv_scales": (">=0.23", "scales come from the checkpoint"),
}
"""Destinations that are accepted and ignored, with the releases and the reason."""


@rule("advice", flags=())
def check(ctx: Context) -> Iterator[Hit]:
    for reading in ctx.deployment.flags:
        told = _EMPTY.get(reading.dest)
        if told is None or reading.status != "ok" or not holds(told[0], ctx.version):
            continue
        yield Hit(
            message=f"{reading.flag} has no effect in vLLM {ctx.version}: {told[1]}.",
            effect="None.",
            flags=(reading.flag,),
            steps=(drop(reading.flag),),
        )
