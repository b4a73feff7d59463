"""An FP8 KV cache of an MLA model on a device whose kernels do not read it.

## What happens
The worker refuses to start.

## Why
Hopper and data-centre Blackwell have MLA kernels for an FP8 cache. Every other device is left to Triton's, which reads
one from 0.18 and from compute capability 8.9 on. From 0.14 a checkpoint can ask for such a cache as well.

## Versions
>=0.11.1

## Evidence
- vllm/platforms/cuda.py, _get_backend_priorities (0.12.0, 0.18.0, 0.28.0, 0.33.0); vllm/v1/attention/backends/mla/*.py,
  supported_kv_cache_dtypes; vllm/v1/attention/backends/mla/triton_mla.py, TritonMLAImpl.__init__ (0.28.0, 0.33.0 line 203)
- https://github.com/vllm-project/vllm/issues/32732

## Fix
Leave --kv-cache-dtype at auto, or give bfloat16 where the checkpoint asks for FP8.
"""

from ...attention import mla_order, reasons
from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--kv-cache-dtype",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("kv_cache_dtype", "auto")
    if ctx.given("attention_backend") or ctx.plugins:
        return None
    by_checkpoint = asked == "auto" and ctx.at_least(0, 14)
    if by_checkpoint:
        told = ctx.need_model().quantization
        if told is None or not told.method.startswith("modelopt"):
            return None
        asked = ctx.setting("kv_cache_dtype")
    if asked not in ("fp8", "fp8_e4m3", "fp8_e5m2"):
        return None
    model, have = ctx.need_model(), ctx.need_capability()
    if have is None or not model.uses_mla:
        return None
    held = [reasons(name, ctx, have, block=None, kv=str(asked)) for name in mla_order(have)]
    if any(not against for against in held):  # one serves, or is not modelled
        return None
    steps = (put("--kv-cache-dtype", "bfloat16"),) if ctx.at_least(0, 15) else ()
    return Hit(
        message=f"{'The checkpoint' if by_checkpoint else '--kv-cache-dtype'} asks for an {asked} cache of {model.id} (MLA) on "
        f"{ctx.need_gpu().name}, compute capability {have[0]}.{have[1]}: no MLA kernel reads it there.",
        effect="The worker stops: no valid attention backend is found.",
        steps=steps if by_checkpoint else (drop("--kv-cache-dtype"),),
        fix="Use vLLM 0.15 or newer with `--kv-cache-dtype bfloat16`." if by_checkpoint and not steps else "",
    )
