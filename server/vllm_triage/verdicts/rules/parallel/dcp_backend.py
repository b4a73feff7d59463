"""Decode context parallelism on attention that does not return its log-sum-exp.

## What happens
The worker refuses to start.

## Why
Ranks that each hold a part of a context join their results by the log of the sum of exponentials; a kernel must return it.
Which one is taken follows from device, model and release.

## Versions
>=0.10.2

## Evidence
- vllm/v1/worker/gpu_model_runner.py (0.11.0 line 4001), vllm/v1/worker/cp_utils.py, check_attention_cp_compatibility
  (0.16.0 to 0.33.0); `can_return_lse_for_decode` of vllm/v1/attention/backends/ (0.10.2 to 0.33.0)
- https://github.com/vllm-project/vllm/issues/28407, https://github.com/vllm-project/vllm/issues/54761

## Fix
Take --decode-context-parallel-size out, or name a backend that returns it.
"""

from ...attention import dense_order, reasons
from ...context import Context
from ...rule import Hit, drop, rule

RETURNS: dict[str, tuple[int, ...]] = {
    "FLASHMLA": (0, 10, 2), "FLASH_ATTN_MLA": (0, 10, 2), "CUTLASS_MLA": (0, 10, 2), "TRITON_MLA": (0, 11),
    "FLASH_ATTN": (0, 11, 1), "FLASHINFER": (0, 11, 1), "FLASHINFER_MLA": (0, 25), "FLASHINFER_MLA_SPARSE": (0, 25),
    "TOKENSPEED_MLA": (0, 26), "FLASHMLA_SPARSE": (0, 29), "ROCM_AITER_MLA": (0, 29),
}  # fmt: skip
"""Backend -> first release in which it returns the log-sum-exp."""
NEVER = frozenset(
    ("TRITON_ATTN", "FLEX_ATTENTION", "HPC_ATTN", "ROCM_ATTN", "ROCM_AITER_FA", "ROCM_AITER_UNIFIED_ATTN", "ROCM_AITER_MLA_SPARSE",
     "FLASH_ATTN_MLA_SPARSE", "FLASHINFER_MLA_SPARSE_SM120")
)  # fmt: skip
"""Backends that do not through 0.33."""


@rule("fatal", flags=("--decode-context-parallel-size", "--attention-backend"), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    if ctx.dcp <= 1:
        return None
    ctx.need_model()
    ctx.need_gpu()
    name = without_lse(ctx)
    if name is None:
        return None
    return Hit(
        message=f"--decode-context-parallel-size {ctx.dcp} is given, and {name}, the attention "
        f"{'named' if _named(ctx) else 'taken'} for {ctx.need_model().id} on {ctx.need_gpu().name}, does not return its "
        "log-sum-exp.",
        effect="The worker stops: context parallelism needs the log-sum-exp of decode.",
        steps=(drop("--decode-context-parallel-size"),),
    )


def _named(ctx: Context) -> str | None:
    """The backend asked for by name."""
    named = ctx.arg("attention_backend") or ctx.mapping("attention_config").get("backend")
    named = named or (None if ctx.at_least(0, 15) else ctx.env.get("VLLM_ATTENTION_BACKEND"))
    return named.upper() if isinstance(named, str) else None


def without_lse(ctx: Context) -> str | None:
    """The backend this launch attends with, when it is certain and does not return its log-sum-exp."""
    if ctx.model is None or ctx.gpu is None:
        return None
    name = _named(ctx) or _taken(ctx)
    since = RETURNS.get(name or "")
    if name is None or (name not in NEVER and (since is None or ctx.at_least(*since))):
        return None
    return name


def _taken(ctx: Context) -> str | None:
    """The backend vLLM takes by itself, where that is certain."""
    model, gpu = ctx.need_model(), ctx.need_gpu()
    sparse = any(run.kind == "mla_sparse" for run in model.runs)
    if any(run.kind == "mla_compressed" for run in model.runs):
        return None
    if gpu.vendor == "amd":
        return "ROCM_AITER_MLA_SPARSE" if sparse and ctx.at_least(0, 12) else None
    have = ctx.need_capability()
    if have is None:
        return None
    if sparse:
        return "FLASHMLA_SPARSE" if have[0] == 9 and not ctx.at_least(0, 29) else None
    if model.uses_mla:
        return "FLASHINFER_MLA" if have[0] == 10 and ctx.within(">=0.15,<0.25") else None
    setting = ctx.setting("kv_cache_dtype")
    kv = setting if isinstance(setting, str) else None
    return next((one for one in dense_order(have) if not reasons(one, ctx, have, block=None, kv=kv)), None)
