"""The attention backend asked for cannot serve this model on this device.

## What happens
The worker refuses to start, after the configuration was accepted.

## Why
Each backend states which compute capabilities, head sizes, dtypes, block sizes and KV types it serves, whether it
attends sparsely and whether it crosses an encoder with a decoder. A backend named by the user is not replaced by
another.

## Versions
>=0.11.1

## Evidence
- vllm/platforms/cuda.py, CudaPlatformBase.get_attn_backend_cls (0.18.0 line 252, 0.31.0 line 456, 0.33.0 line 438);
  vllm/v1/attention/backends/*.py, validate_configuration and the class methods it asks (0.11.2 to 0.33.0)
- https://github.com/vllm-project/vllm/issues/40153

## Fix
Leave the backend to vLLM.
"""

from ...attention import reasons, sparse_reasons
from ...context import Context
from ...rule import Hit, drop, drop_env, rule


@rule("fatal", flags=("--attention-backend",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("attention_backend") or ctx.mapping("attention_config").get("backend")
    from_env = None if ctx.at_least(0, 15) else ctx.env.get("VLLM_ATTENTION_BACKEND")
    name = asked or from_env
    if not isinstance(name, str):
        return None
    have = ctx.need_capability()
    if have is None:
        return None
    block = ctx.whole("block_size") or None
    kv = ctx.setting("kv_cache_dtype")
    dtype = kv if isinstance(kv, str) else None
    if any(run.kind == "mla_sparse" for run in ctx.need_model().runs):
        against = sparse_reasons(name.upper(), ctx, have, dtype)
    else:
        against = reasons(name.upper(), ctx, have, block=block, kv=dtype)
    if not against:
        return None
    flags = (drop("--attention-backend"), drop("--attention-config"))
    steps = flags if asked else (drop_env("VLLM_ATTENTION_BACKEND"),)
    return Hit(
        message=f"{name} cannot serve {ctx.need_model().id} on {ctx.need_gpu().name}: {'; '.join(against)}.",
        effect="The worker stops: the selected backend is not valid for this configuration.",
        steps=steps,
        fix="Leave the attention backend to vLLM: remove `--attention-backend`." if asked else "",
    )
