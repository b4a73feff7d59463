"""VLLM_USE_V1=1 with something the V1 engine of the release does not have.

## What happens
The engine refuses to start.

## Why
Left to itself vLLM takes the V0 engine for such a launch and says so; the variable forbids that.

## Versions
>=0.7,<0.11

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._is_v1_supported_oracle and _raise_or_fallback (0.8.0 to 0.10.2)
- vllm/platforms/cuda.py, CudaPlatformBase.get_attn_backend_cls (0.7.1 to 0.7.3): FlashAttention for everything on V1
- https://github.com/vllm-project/vllm/issues/12956, https://github.com/vllm-project/vllm/issues/13398,
  https://github.com/vllm-project/vllm/issues/12826
- vllm/platforms/cuda.py line 123 and rocm.py line 174 (0.7.1 to 0.10.0): no multi-step scheduling on V1, and on AMD
  no speculation (rocm.py, 0.7.1 to 0.9.2)

## Fix
Unset VLLM_USE_V1, or take out what V1 does not have.
"""

from collections.abc import Iterator

from ...context import Context
from ...engines import causes_of_v0
from ...rule import Hit, drop, drop_env, rule


def _first_v1(ctx: Context) -> Iterator[Hit]:
    """What the first V1 engine, which attends with FlashAttention alone, was not told to refuse."""
    model = ctx.model
    lacks = []
    if model is not None and model.uses_mla and ctx.at_least(0, 7, 1) and ctx.env.get("VLLM_MLA_DISABLE") != "1":
        lacks.append(f"{model.id}, with latent attention,")
    if model is not None and model.is_encoder_decoder:
        lacks.append(f"{model.id}, an encoder-decoder model,")
    if model is not None and any(run.kind in ("mamba", "linear") for run in model.runs):
        lacks.append(f"{model.id}, with recurrent states,")
    have = ctx.need_capability() if ctx.gpu is not None else None
    if have is not None and have < (8, 0):
        lacks.append(f"{ctx.need_gpu().name} (compute capability below 8.0)")
    for what in lacks:
        yield Hit(
            message=f"{what} cannot run on the V1 engine of {ctx.version}, and VLLM_USE_V1=1 is set.",
            effect="vLLM stops while it builds the model.",
            steps=(drop_env("VLLM_USE_V1"),),
        )


@rule("fatal", flags=())
def check(ctx: Context) -> Iterator[Hit]:
    if ctx.env.get("VLLM_USE_V1") != "1":
        return
    for cause in causes_of_v0(ctx):
        if not cause.refused:
            continue
        steps = (drop(cause.flag),) if cause.flag else (drop_env("VLLM_USE_V1"),)
        yield Hit(
            message=f"{cause.what} is not supported by the V1 engine of {ctx.version}, and VLLM_USE_V1=1 is set.",
            effect="vLLM stops: the variable forbids the way back to V0.",
            flags=(cause.flag,) if cause.flag else (),
            steps=(drop_env(cause.env),) if cause.env else steps,
        )
    if not ctx.at_least(0, 8) and ctx.whole("num_scheduler_steps", 1) > 1:
        yield Hit(
            message="--num-scheduler-steps is given on the V1 engine, which has no multi-step scheduling.",
            effect="vLLM stops before loading.",
            flags=("--num-scheduler-steps",),
            steps=(drop("--num-scheduler-steps"),),
        )
    if not ctx.at_least(0, 8):
        yield from _first_v1(ctx)
    amd = ctx.gpu is not None and ctx.gpu.vendor == "amd"
    if amd and ctx.spec is not None and ctx.within("<0.10"):
        yield Hit(
            message=f"Speculation is asked for on {ctx.need_gpu().name} with VLLM_USE_V1=1.",
            effect="vLLM stops: on AMD speculation is not yet supported on V1.",
            steps=(drop_env("VLLM_USE_V1"),),
        )
