"""FP8 weights of latent attention without absorbing the matrices.

## What happens
Loading stops.

## Why
The matrices of an FP8 checkpoint are folded into each other at load; the other way was not written for FP8.

## Versions
>=0.7.1,<0.8

## Evidence
- vllm/attention/backends/mla/utils.py, MLACommonImpl.process_weights_after_loading (0.7.1 line 390 to 0.7.3 line 392)

## Fix
Unset VLLM_MLA_PERFORM_MATRIX_ABSORPTION, or set VLLM_MLA_DISABLE=1.
"""

from ...context import Context
from ...rule import Hit, drop_env, rule

_ENV = "VLLM_MLA_PERFORM_MATRIX_ABSORPTION"


@rule("fatal", flags=(), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.env.get(_ENV) != "0" or ctx.env.get("VLLM_MLA_DISABLE") == "1":
        return None
    model = ctx.need_model()
    if not model.uses_mla or model.quantization is None or model.quantization.method != "fp8":
        return None
    return Hit(
        message=f"{_ENV}=0 is set for {model.id}, an FP8 checkpoint with latent attention.",
        effect="vLLM stops at load: FP8 requires matrix absorption.",
        steps=(drop_env(_ENV),),
    )
