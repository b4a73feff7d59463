"""An attention backend this release has not heard of.

## What happens
The engine refuses to start.

## Why
Backends come and go: XFORMERS and the names ending in _VLLM_V1 are of the releases with two engines; others are newer than
the release. `CUSTOM` stands for one that a plugin registers.

## Versions
>=0.13

## Evidence
- vllm/v1/attention/backends/registry.py, AttentionBackendEnum and the look-up that lists the valid names (0.13.0 to 0.33.0);
  the members of every release

## Fix
Leave the backend to vLLM.
"""

from ....facts.versions import number
from ...context import Context
from ...rule import Hit, drop, drop_env, rule

ALWAYS = frozenset(
    ("FLASH_ATTN", "TRITON_ATTN", "ROCM_ATTN", "ROCM_AITER_MLA", "ROCM_AITER_TRITON_MLA", "ROCM_AITER_FA",
     "ROCM_AITER_MLA_SPARSE", "TORCH_SDPA", "FLASHINFER", "FLASHINFER_MLA", "TRITON_MLA", "CUTLASS_MLA", "FLASHMLA",
     "FLASHMLA_SPARSE", "FLASH_ATTN_MLA", "NO_ATTENTION", "FLEX_ATTENTION", "ROCM_AITER_UNIFIED_ATTN", "CPU_ATTN", "CUSTOM")
)  # fmt: skip
SINCE = {
    "FLASH_ATTN_DIFFKV": "0.14.0", "FLASHINFER_MLA_SPARSE": "0.17.0", "XPU_MLA_SPARSE": "0.18.0", "TURBOQUANT": "0.20.0",
    "TOKENSPEED_MLA": "0.21.0", "FLASHMLA_SPARSE_DSV4": "0.23.0", "FLASHINFER_MLA_SPARSE_DSV4": "0.23.0",
    "ROCM_FLASHMLA_SPARSE_DSV4": "0.23.0", "TRITON_ATTN_DIFFKV": "0.24.0", "FLASHINFER_MLA_SPARSE_SM120": "0.24.0",
    "MINIMAX_M3_SPARSE": "0.24.0", "FLASH_ATTN_MLA_SPARSE": "0.25.0", "HPC_ATTN": "0.25.0", "CUTLASS_MSA": "0.27.0",
    "TRITON_MSA": "0.27.0", "CPU_MLA": "0.28.0", "AMX_MLA": "0.29.0", "TRITON_FLASH_ATTN": "0.30.0",
    "TRITON_FLASHINFER": "0.30.0", "FLASHINFER_MLA_SPARSE_SM90": "0.30.0", "FLASHMLA_SPARSE_DSV41": "0.30.0",
    "FLASHINFER_MLA_SPARSE_DSV41": "0.30.0", "B12X": "0.30.0", "FLASHMLA_MEGA_ATTN_DSV41": "0.31.0",
    "ROCM_SEGMENTED_ATTN": "0.32.0", "ULTRAQUANT": "0.32.0", "ROCM_FLASHMLA_SPARSE_DSV41": "0.33.0",
    "FLASH_ATTN_MLA_SPARSE_FA4": "0.33.0", "STEP5_DSA": "0.33.0", "ROCM_OCTAVE": "0.33.0",
}  # fmt: skip
"""Name -> first release with it."""
UNTIL = {"PALLAS": "0.13.0", "IPEX": "0.15.1", "TREE_ATTN": "0.20.2"}
"""Name -> last release with it."""


@rule("fatal", flags=("--attention-backend", "--attention-config"), needs=("plugins",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("attention_backend") or ctx.mapping("attention_config").get("backend")
    from_env = None if ctx.at_least(0, 15) else ctx.env.get("VLLM_ATTENTION_BACKEND")
    given = asked or from_env
    if not isinstance(given, str) or given.lower() == "auto":
        return None
    name = given.upper()
    if name in ALWAYS or (name in UNTIL and number(UNTIL[name]) >= ctx.release):
        return None
    if name in SINCE and number(SINCE[name]) <= ctx.release:
        return None
    ctx.need_own_names()
    when = f"; {SINCE[name]} is the first release with it" if name in SINCE else ""
    when = f"; {UNTIL[name]} was the last release with it" if name in UNTIL else when
    return Hit(
        message=f"{given[:60]} is not an attention backend of vLLM {ctx.version}{when}.",
        effect="vLLM stops before loading.",
        steps=(drop("--attention-backend"), drop("--attention-config")) if asked else (drop_env("VLLM_ATTENTION_BACKEND"),),
        fix="Leave the attention backend to vLLM.",
    )
