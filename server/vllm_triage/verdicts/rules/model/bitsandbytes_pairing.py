"""bitsandbytes with a loader or a method that is not its own.

## What happens
The engine refuses to start.

## Why
bitsandbytes weights are quantized while they are read, so --quantization and --load-format had to name it both. A QLoRA
adapter needs it too.

## Versions
<0.9

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.6.6.post1 lines 1028 and 1035 to 0.8.1 lines 1166 and 1173;
  0.8.2 line 1185 to 0.8.5 line 1032)

## Fix
Give `--quantization bitsandbytes --load-format bitsandbytes`, or neither.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, put, rule

_NAME = "bitsandbytes"


@rule("fatal", flags=("--quantization", "--load-format", "--qlora-adapter-name-or-path"))
def check(ctx: Context) -> Iterator[Hit]:
    method, loader = ctx.arg("quantization"), ctx.arg("load_format", "auto")
    adapter = bool(ctx.arg("qlora_adapter_name_or_path"))
    early = not ctx.at_least(0, 8, 2)
    stops = "vLLM stops before loading."
    if early and (method == _NAME or adapter) and loader != _NAME:
        yield Hit(
            message=f"{'A QLoRA adapter' if adapter else '--quantization bitsandbytes'} is given with --load-format {loader}.",
            effect=stops, flags=("--load-format",), steps=(put("--load-format", _NAME),),
        )  # fmt: skip
    if method == _NAME or (not adapter and not (early and loader == _NAME)):
        return
    what = "A QLoRA adapter" if adapter else "--load-format bitsandbytes"
    steps = (drop("--qlora-adapter-name-or-path"),) if adapter else (drop("--load-format"),)
    yield Hit(message=f"{what} is given with --quantization {method}.", effect=stops, flags=("--quantization",), steps=steps)
