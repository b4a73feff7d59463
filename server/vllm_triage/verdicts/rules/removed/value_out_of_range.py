"""A number outside the range its setting accepts.

## What happens
The parser takes the number and the engine then refuses to start while it builds its configuration.

## Why
Most numeric settings carry bounds: a count is at least 1, a fraction of memory lies in (0, 1].

## Versions
>=0.11

## Evidence
- vllm/config/cache.py CacheConfig, vllm/config/scheduler.py SchedulerConfig, vllm/config/parallel.py ParallelConfig
  and their neighbours: the `Field(ge=..., gt=..., le=..., lt=...)` of every field, recorded for each release
- create_engine_config of 0.18.0 to 0.33.0 on max_num_seqs 0, gpu_memory_utilization 0, 1.7 and 90, watermark 1.5,
  block_size 0; of 0.18.0 on tensor, data and decode context parallel size 0

## Fix
Give a value within the range, or leave the flag out.
"""

from collections.abc import Iterator

from ....facts.config_fields import field_of
from ...context import Context
from ...rule import Hit, drop, put, rule

_DIVIDE = frozenset(("tensor_parallel_size", "data_parallel_size", "decode_context_parallel_size"))
"""Sizes something is divided by: zero stops releases that set no bound too."""


@rule("fatal", flags=())
def check(ctx: Context) -> Iterator[Hit]:
    for reading in ctx.deployment.flags:
        value = ctx.args.get(reading.dest)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            continue
        field = field_of(reading.flag, ctx.version)
        divides = reading.dest in _DIVIDE and value == 0
        if field is None or (field.allows(value) and not divides) or not _is_built(field.owner, ctx):
            continue
        allowed = field.range() or "at least 1"
        percent = value / 100 if reading.dest == "gpu_memory_utilization" and 1 < value <= 100 else None
        yield Hit(
            message=f"{reading.flag} is {value:g}; it must be {allowed}.",
            effect="vLLM stops before loading.",
            flags=(reading.flag,),
            steps=(drop(reading.flag) if percent is None or not field.allows(percent) else put(reading.flag, percent),),
            fix="" if percent is not None else f"Give a value that is {allowed}, or remove `{reading.flag}`.",
        )


def _is_built(owner: str, ctx: Context) -> bool:
    """True unless the configuration the field belongs to is only made for a feature that is off."""
    if owner == "LoRAConfig":
        return ctx.arg("enable_lora") is True
    if owner == "MultiModalConfig":
        return ctx.model is not None and ctx.model.is_multimodal
    return True
