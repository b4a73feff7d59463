"""Two features that releases before 0.6.6 could not combine.

## What happens
The engine refuses to start.

## Why
They came one by one: speculation, adapters, bitsandbytes and multi-step scheduling were each written for the plain case
first, and refused beside the others until 0.6.2 to 0.6.5.

## Versions
<0.7

## Evidence
- vllm/config.py and vllm/engine/arg_utils.py of 0.6.0: bitsandbytes over several GPUs, speculation without
  --use-v2-block-manager, chunked prefill with multi-step scheduling
- vllm/config.py of 0.6.0 to 0.6.3.post1: LoRA with chunked prefill (until #9057, 0.6.5), a draft on more than one GPU
- vllm/attention/backends/flashinfer.py of 0.6.0 to 0.6.3.post1: chunked prefill with FlashInfer

## Fix
Use a newer release, or one of the two.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ....domain import FixStep
from ...context import Context
from ...rule import Hit, drop, drop_env, rule

_CHUNKED = "--enable-chunked-prefill"


@dataclass(frozen=True, slots=True)
class _Pair:
    versions: str
    asked: Callable[[Context], bool]
    what: str
    steps: tuple[FixStep, ...]


def _chunked(ctx: Context) -> bool:
    return ctx.arg("enable_chunked_prefill") in (True, "True", "true")


def _split_bitsandbytes(ctx: Context) -> bool:
    return ctx.arg("quantization") == "bitsandbytes" and ctx.tp * ctx.pp > 1


_PAIRS = (
    _Pair("<0.6.5", lambda ctx: _chunked(ctx) and ctx.arg("enable_lora") is True, "LoRA with chunked prefill", (drop(_CHUNKED),)),
    _Pair(
        "<0.6.2", lambda ctx: _chunked(ctx) and ctx.whole("num_scheduler_steps", 1) > 1,
        "multi-step scheduling with chunked prefill", (drop(_CHUNKED),),
    ),
    _Pair(
        "<0.6.2", lambda ctx: ctx.given("speculative_model") and ctx.arg("use_v2_block_manager") is not True,
        "speculation without --use-v2-block-manager", (drop("--speculative-model"),),
    ),
    _Pair(
        "<0.6.2", _split_bitsandbytes, "bitsandbytes over several GPUs",
        (drop("--tensor-parallel-size"), drop("--pipeline-parallel-size")),
    ),
    _Pair(
        "<0.6.4", lambda ctx: _chunked(ctx) and ctx.env.get("VLLM_ATTENTION_BACKEND") == "FLASHINFER",
        "chunked prefill with FlashInfer", (drop_env("VLLM_ATTENTION_BACKEND"),),
    ),
    _Pair(
        "<0.6.4", lambda ctx: ctx.whole("speculative_draft_tensor_parallel_size", 1) > 1,
        "a draft on more than one GPU", (drop("--speculative-draft-tensor-parallel-size"),),
    ),
    _Pair(
        "<0.6.4", lambda ctx: ctx.arg("collect_detailed_traces") is not None and not ctx.arg("otlp_traces_endpoint"),
        "detailed traces without --otlp-traces-endpoint", (drop("--collect-detailed-traces"),),
    ),
)  # fmt: skip


@rule("fatal", flags=(_CHUNKED, "--speculative-model", "--enable-lora"))
def check(ctx: Context) -> Iterator[Hit]:
    if ctx.at_least(0, 6, 6):
        return
    for pair in _PAIRS:
        if ctx.within(pair.versions) and pair.asked(ctx):
            yield Hit(
                message=f"vLLM {ctx.version} does not have {pair.what}.",
                effect="vLLM stops before loading.",
                flags=tuple(step.name for step in pair.steps if step.name.startswith("--")),
                steps=pair.steps,
            )
