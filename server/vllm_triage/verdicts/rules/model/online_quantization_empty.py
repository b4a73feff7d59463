"""An online quantization that quantizes nothing.

## What happens
The engine refuses to start.

## Why
--quantization-config says what to quantize on load: dense layers (linear), experts (moe), or layers by name (targets).
With none of the three there is nothing to do. From 0.30 it is also composed onto a quantized checkpoint, and asked the
same there.

## Versions
>=0.22

## Evidence
- vllm/model_executor/layers/quantization/online/base.py, OnlineQuantizationConfig.__init__ (0.22.0, 0.33.0 line 160)
- vllm/model_executor/model_loader/weight_utils.py, get_quant_config (0.23.0 line 351; composed in 0.30.0 and 0.33.0
  line 219)
- create_engine_config of 0.32.0 and 0.33.0 on `--quantization-config '{}'` with a ModelOpt checkpoint

## Fix
Say what to quantize, or take --quantization-config out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--quantization-config", "--quantization"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    config = ctx.arg("quantization_config")
    if not isinstance(config, dict) or any(config.get(name) is not None for name in ("linear", "moe", "targets")):
        return None
    online = ctx.arg("quantization") == "online"
    composed = ctx.at_least(0, 30) and ctx.need_model().quantization is not None
    if not online and not composed:
        return None
    flags = (drop("--quantization-config"), drop("--quantization")) if online else (drop("--quantization-config"),)
    return Hit(
        message="--quantization-config names neither linear nor moe nor targets"
        f"{'' if online else f', to be composed onto {ctx.need_model().id}, a quantized checkpoint'}.",
        effect="vLLM stops before loading.",
        steps=flags,
    )
