"""Engine statistics are off.

## What happens
Neither the log nor /metrics shows what the scheduler does.

## Why
--disable-log-stats stops the counters as well as the log line.

## Versions
>=0.6.6

## Evidence
- vllm/v1/engine/async_llm.py, AsyncLLM.__init__: no stat loggers without log_stats (0.18.0, 0.31.0)

## Fix
Leave it out; the cost is negligible.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--disable-log-stats",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("disable_log_stats") is not True:
        return None
    return Hit(
        message="--disable-log-stats is given.",
        effect="/metrics holds no vllm: series, so no queue, cache or latency can be diagnosed.",
        steps=(drop("--disable-log-stats"),),
    )
