"""Adapters on a mixture of experts whose experts are spread over ranks.

## What happens
Loading stops.

## Why
Adapters of experts were written for experts that every rank holds a part of. From 0.21 whole experts can be adapted too,
with one way of exchanging tokens and with adapters that are not sharded in full.

## Versions
>=0.11.1

## Evidence
- vllm/lora/layers/fused_moe.py, FusedMoEWithLoRA.__init__ (0.11.1 line 34 to 0.20.2: EP support for Fused MoE LoRA is not
  implemented yet), _ep_check and _verify_ep_fs (0.21.0 to 0.33.0 lines 234 to 252)

## Fix
Take --enable-expert-parallel out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-lora", "--enable-expert-parallel"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_lora") is not True or ctx.arg("enable_expert_parallel") is not True or ctx.tp * ctx.dp <= 1:
        return None
    model = ctx.need_model()
    if model.moe is None:
        return None
    backend = ctx.arg("all2all_backend", "allgather_reducescatter")
    if ctx.at_least(0, 21):
        if ctx.arg("fully_sharded_loras") is True:
            why, flag = "with --fully-sharded-loras", "--fully-sharded-loras"
        elif backend not in ("allgather_reducescatter", "naive", "pplx"):  # the last two are read as the first
            why, flag = f"with --all2all-backend {backend}", "--all2all-backend"
        else:
            return None
    else:
        why, flag = f"in {ctx.version}", "--enable-expert-parallel"
    return Hit(
        message=f"--enable-lora is given for {model.id} with --enable-expert-parallel, which cannot be adapted {why}.",
        effect="vLLM stops at load.",
        flags=("--enable-lora", flag),
        steps=(drop(flag),),
    )
