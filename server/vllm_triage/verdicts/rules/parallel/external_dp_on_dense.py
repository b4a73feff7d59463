"""External data parallelism of a dense model.

## What happens
The engine refuses to start.

## Why
Engines of a dense model share nothing, so behind an external balancer they are plain replicas.

## Versions
>=0.21

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.31.0 line 2355, 0.33.0 line 2461)

## Fix
Start independent servers without --data-parallel flags.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--data-parallel-external-lb", "--data-parallel-size"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    external = ctx.arg("data_parallel_external_lb") is True or ctx.given("data_parallel_rank")
    if ctx.dp <= 1 or not external:
        return None
    model = ctx.need_model()
    if model.moe is not None:
        return None
    return Hit(
        message=f"{model.id} is dense; data parallel size {ctx.dp} with an external balancer has nothing to share.",
        effect="vLLM stops before loading.",
        steps=(drop("--data-parallel-size"), drop("--data-parallel-external-lb"), drop("--data-parallel-rank")),
        fix="Start independent servers and remove the `--data-parallel-*` flags.",
    )
