"""One request of the maximum length does not fit the KV pool.

## What happens
The configuration is accepted and the weights load; then the engine stops: no memory is left for the cache, or less than
one request of max_model_len needs.

## Why
The pool is what utilisation leaves after weights, one profiled step and CUDA graphs. It must hold one whole request, so a
long context of the model's own can stop a launch that would serve short prompts.

## Versions
>=0.6.6

## Evidence
- vllm/v1/core/kv_cache_utils.py, check_enough_kv_cache_memory (0.18.0, 0.33.0)
- arithmetic: the pool as predicted, held against public startup logs; the rule fires only well above its interval
- https://github.com/vllm-project/vllm/issues/44376

## Fix
Lower --max-model-len, raise --gpu-memory-utilization, or use more GPUs.
"""

from ....domain import Interval
from ....engine.capacity_notes import pinned_gib
from ....engine.kv_groups import UngroupableError
from ...context import Context
from ...rule import Hit, put, rule
from ..hardware import weights_exceed_memory

MARGIN = 0.5
"""Of the predicted interval's width, by which what is needed must exceed its upper end."""


@rule(
    "degraded",
    flags=("--max-model-len", "--gpu-memory-utilization", "--tensor-parallel-size"),
    needs=("model", "gpu"),
    starts=False,
)  # fmt: skip
def check(ctx: Context) -> Hit | None:
    ctx.need_model()
    gpu, length = ctx.need_gpu(), ctx.number("max_model_len")
    fitted = ctx.arg("max_model_len") == -1
    if gpu.vendor == "cpu" or (not length and not fitted):
        return None
    if pinned_gib(ctx.deployment) is not None or ctx.given("num_gpu_blocks_override") or ctx.given("cpu_offload_gb"):
        return None
    terms = ctx.budget
    if terms is None:
        return None
    if not ctx.given("max_model_len"):
        ctx.need_own_config()
    if fitted:
        return _nothing_left(ctx, terms.pool)
    have = terms.pool.high + MARGIN * (terms.pool.high - terms.pool.low)
    try:
        need = ctx.sizing.needed_gib
    except UngroupableError:  # told by the rules about the hybrid manager
        return None
    if need <= max(have, 0.0) or weights_exceed_memory.check.check(ctx) is not None:
        return None
    longest = ctx.sizing.longest(terms.pool.low) if terms.pool.low > 0 else 0
    left = f"about {terms.pool.mid:.1f} GiB is" if terms.pool.mid > 0 else "nothing is"
    return Hit(
        message=f"One request of {length:,} tokens needs {need:.1f} GiB of KV cache on each GPU; {left} left for it on "
        f"{gpu.name} at --gpu-memory-utilization {ctx.setting('gpu_memory_utilization')}.",
        effect="The engine stops after loading: the KV cache does not hold one request of max_model_len.",
        steps=(put("--max-model-len", longest),) if longest >= 1 else (),
        fix=f"`--max-model-len {longest}`, a higher `--gpu-memory-utilization`, or more GPUs." if longest else
        "More GPUs (`--tensor-parallel-size`), a quantized checkpoint, or a GPU with more memory.",
    )


def _nothing_left(ctx: Context, pool: Interval) -> Hit | None:
    """A length fitted to the pool needs a pool."""
    if pool.high + MARGIN * (pool.high - pool.low) > 0 or weights_exceed_memory.check.check(ctx) is not None:
        return None
    return Hit(
        message=f"--max-model-len -1 fits the length to the pool, and nothing is left for a pool on {ctx.need_gpu().name} at "
        f"--gpu-memory-utilization {ctx.setting('gpu_memory_utilization')}.",
        effect="The engine stops after loading: not a single token fits.",
        fix="A higher `--gpu-memory-utilization`, more GPUs (`--tensor-parallel-size`), or a quantized checkpoint.",
    )
