"""Flags that say what is the default anyway.

## What happens
Nothing; and when a later release changes the default, the flag pins the old one.

## Why
A recipe copied from an older release often names what has become the default.

## Versions
all

## Evidence
- the defaults of each release's parser and of EngineArgs on this device, recorded for each release

## Fix
Take them out, so that the command shows what was chosen.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_DECIDED = frozenset(
    {
        "enable_chunked_prefill",
        "enable_prefix_caching",
        "async_scheduling",
        "gpu_memory_utilization",
        "max_num_batched_tokens",
        "max_num_seqs",
        "block_size",
        "kv_cache_dtype",
        "dtype",
        "tensor_parallel_size",
        "pipeline_parallel_size",
        "data_parallel_size",
        "long_prefill_token_threshold",
        "scheduling_policy",
        "performance_mode",
        "optimization_level",
        "watermark",
        "stream_interval",
        "scheduler_reserve_full_isl",
        "max_num_partial_prefills",
    }
)
"""Settings whose default a reader of the command would want to tell from a choice."""


@rule("advice", flags=())
def check(ctx: Context) -> Hit | None:
    same = [
        reading.flag
        for reading in ctx.deployment.flags
        if reading.is_default and reading.status == "ok" and reading.dest in _DECIDED
    ]
    if not same:
        return None
    return Hit(
        message=f"{', '.join(same)} {'says' if len(same) == 1 else 'say'} what vLLM {ctx.version} does anyway.",
        effect="None today.",
        flags=tuple(same),
        steps=tuple(drop(flag) for flag in same),
    )
