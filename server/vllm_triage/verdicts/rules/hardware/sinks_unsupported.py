"""No attention backend has sinks on this device.

## What happens
The worker refuses to start.

## Why
gpt-oss attends with sinks. FlashAttention has them with version 3 on Hopper and 4 on Blackwell, Triton everywhere; a
KV dtype or block size that excludes Triton leaves nothing.

## Versions
>=0.11.1

## Evidence
- supports_sink of the backends (0.11.2 to 0.33.0)
- https://github.com/vllm-project/vllm/issues/28589

## Fix
Leave --kv-cache-dtype and --block-size out.
"""

from ...attention import dense_order, reasons
from ...context import Context, Needs
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--attention-backend",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    model = ctx.model
    if model is None:
        raise Needs("model")
    if model.model_type != "gpt_oss" or ctx.given("attention_backend"):
        return None
    have = ctx.need_capability()
    if have is None:
        return None
    block = ctx.whole("block_size") or None
    setting = ctx.setting("kv_cache_dtype")
    kv = setting if isinstance(setting, str) else None
    if block is not None and block % 16:  # told by block-size-precludes
        return None
    if any(not reasons(name, ctx, have, block=block, kv=kv) for name in dense_order(have)):
        return None
    return Hit(
        message=f"No attention backend of vLLM {ctx.version} serves {model.id} on {ctx.need_gpu().name} with a {kv} KV "
        "cache.",
        effect="The worker stops: no valid attention backend is found.",
        steps=(drop("--kv-cache-dtype"), drop("--block-size")),
    )
