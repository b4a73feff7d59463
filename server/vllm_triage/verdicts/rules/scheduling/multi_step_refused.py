"""Multi-step scheduling with something that cannot be scheduled several steps ahead.

## What happens
The engine refuses to start, or stops at the first step.

## Why
Several decode steps ran without going back to the scheduler. Drafting, chunked prefill over pipeline stages and attention
backends that cannot advance a step by themselves do not fit in between.

## Versions
<0.10.1

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.6.6.post1 line 1155 to 0.10.0 line 1194)
- vllm/worker/multi_step_model_runner.py, MULTI_STEP_ATTENTION_BACKENDS and its chunked-prefill subset
  (0.6.6.post1 to 0.10.0); turn_prefills_into_decodes in rocm_flash_attn.py and placeholder_attn.py of
  vllm/attention/backends (0.6.6.post1 to 0.10.0); the names of triton_mla.py and flashmla.py are not in the list
- vllm/worker/pooling_model_runner.py line 54 (0.6.6.post1 to 0.10.0)

## Fix
Take --num-scheduler-steps out: V1 neither has it nor needs it.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, rule

_FLAG = "--num-scheduler-steps"


_TAKES = frozenset({"FLASH_ATTN", "ROCM_FLASH", "FLASHINFER", "NO_ATTENTION"})


def _backend(ctx: Context) -> str | None:
    """The attention backend as far as the configuration tells it."""
    asked = ctx.env.get("VLLM_ATTENTION_BACKEND")
    latent = ctx.model is not None and ctx.model.uses_mla and ctx.at_least(0, 7, 1)
    if latent and ctx.env.get("VLLM_MLA_DISABLE") != "1":
        return asked if asked == "FLASHMLA" else "TRITON_MLA"
    if ctx.gpu is None:
        return asked
    if ctx.gpu.vendor == "amd":
        return "ROCM_FLASH"
    have = ctx.need_capability()
    return "XFORMERS" if asked is None and have is not None and have < (8, 0) else asked


def _against(ctx: Context) -> Iterator[str]:
    chunked = ctx.arg("enable_chunked_prefill") in (True, "True", "true")
    if ctx.spec is not None:
        yield "speculative decoding"
    if chunked and ctx.pp > 1:
        yield "chunked prefill over pipeline stages"
    backend = _backend(ctx)
    if backend is not None and backend not in _TAKES:
        yield f"the {backend} attention backend"
    without_chunks = {"ROCM_FLASH", "NO_ATTENTION"} | (set() if ctx.at_least(0, 7) else {"FLASHINFER"})
    if chunked and backend in without_chunks:
        yield f"chunked prefill on the {backend} attention backend"
    if ctx.gpu is not None and ctx.gpu.vendor == "cpu":  # switched off with a warning from 0.8
        return
    if ctx.model is not None and ctx.model.is_pooling:
        yield "a pooling model"


@rule("fatal", flags=(_FLAG,))
def check(ctx: Context) -> Iterator[Hit]:
    steps = ctx.whole("num_scheduler_steps", 1)
    if steps <= 1:
        return
    for what in _against(ctx):
        yield Hit(
            message=f"{_FLAG} {steps} is given with {what}.",
            effect="vLLM stops.",
            steps=(drop(_FLAG),),
        )
