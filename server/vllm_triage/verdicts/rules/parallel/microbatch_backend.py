"""Dual batch overlap without a DeepEP all-to-all.

## What happens
The engine refuses to start.

## Why
Overlap hides the exchange of experts behind compute, which only these kernels can do asynchronously.

## Versions
>=0.11

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 1108, 0.31.0 line 2183, 0.33.0 line 2198)

## Fix
Use --all2all-backend deepep_low_latency or deepep_high_throughput.
"""

from ...context import Context
from ...rule import Hit, put, rule


def _from_env(ctx: Context) -> bool:
    return ctx.env.get("VLLM_ALL2ALL_BACKEND", "").startswith("deepep")


@rule("fatal", flags=("--enable-dbo", "--all2all-backend"))
def check(ctx: Context) -> Hit | None:
    backend = ctx.arg("all2all_backend")
    wants = ctx.arg("enable_dbo") is True or ctx.whole("ubatch_size") > 1
    if not wants or backend in ("deepep_low_latency", "deepep_high_throughput"):
        return None
    if (backend == "nixl_ep" and ctx.at_least(0, 24)) or (backend is None and _from_env(ctx)):
        return None
    return Hit(
        message=f"--enable-dbo is given with all-to-all backend {backend or 'allgather_reducescatter'}.",
        effect="vLLM stops before loading.",
        steps=(put("--all2all-backend", "deepep_low_latency"),),
    )
