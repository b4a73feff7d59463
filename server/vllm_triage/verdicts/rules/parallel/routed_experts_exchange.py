"""Returning routed experts where it cannot be recorded.

## What happens
The engine refuses to start.

## Why
Which experts took each token is recorded on one rank, beside the blocks of the cache. Ranks of a pipeline or of a
context, connectors that move blocks, dense models and, from 0.31, a cache without prefixes leave nothing to record.

## Versions
>=0.22

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.22.0, 0.23.0 line 868: pipeline and connectors) and
  _verify_aux_output_compatibility (0.31.0 line 1199, 0.33.0 line 1187); vllm/v1/core/sched/scheduler.py, Scheduler
  (0.23.0 line 274: context parallelism)
- create_engine_config of 0.31.0 and 0.33.0 on a dense model

## Fix
Take --enable-return-routed-experts out.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_APART = ("NixlConnector", "NixlPullConnector", "NixlPushConnector", "MoRIIOConnector", "MooncakeConnector")


@rule(
    "fatal",
    flags=(
        "--enable-return-routed-experts", "--decode-context-parallel-size", "--pipeline-parallel-size",
        "--enable-prefix-caching", "--kv-transfer-config",
    ),
    needs=("model",),
)  # fmt: skip
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_return_routed_experts") is not True:
        return None
    why = _parallel(ctx) or _connector(ctx) or (_model(ctx) if ctx.at_least(0, 31) else None)
    if why is None:
        return None
    return Hit(
        message=f"--enable-return-routed-experts is given {why}.",
        effect="vLLM stops before loading.",
        steps=(drop("--enable-return-routed-experts"),),
    )


def _parallel(ctx: Context) -> str | None:
    if ctx.pp > 1:
        return f"with --pipeline-parallel-size {ctx.pp}"
    if ctx.dcp > 1 or ctx.whole("prefill_context_parallel_size", 1) > 1:
        return "with context parallelism"
    return None


def _connector(ctx: Context) -> str | None:
    connector = ctx.mapping("kv_transfer_config").get("kv_connector")
    if connector is None or (ctx.at_least(0, 31) and connector not in _APART):
        return None
    return f"with the connector {connector}"


def _model(ctx: Context) -> str | None:
    if ctx.setting("enable_prefix_caching") is False:
        return "without prefix caching"
    model = ctx.need_model()
    return None if model.moe is not None else f"for {model.id}, a dense model"
