"""A checkpoint already quantized by bitsandbytes, split over ranks.

## What happens
The workers stop while they load.

## Why
The state of a quantized block belongs to the whole matrix, so such a checkpoint cannot be cut; weights quantized while they
are read can. Pipeline parallelism cuts between layers and works.

## Versions
>=0.7,<0.28

## Evidence
- vllm/model_executor/model_loader/loader.py (0.7.0) and bitsandbytes_loader.py (0.11.0 line 522, 0.27.1),
  BitsAndBytesModelLoader: prequantized models with tensor parallelism
- https://github.com/vllm-project/vllm/issues/13297

## Fix
Use --pipeline-parallel-size instead, or an AWQ, GPTQ or FP8 checkpoint.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--tensor-parallel-size", "--quantization"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.tp <= 1:
        return None
    model = ctx.need_model()
    if model.quantization is None or model.quantization.method != "bitsandbytes":
        return None
    return Hit(
        message=f"{model.id} is stored quantized by bitsandbytes, and --tensor-parallel-size is {ctx.tp}.",
        effect="The workers stop while they load.",
        steps=(put("--tensor-parallel-size", 1),),
        fix="Use `--pipeline-parallel-size` instead, or a checkpoint of another method (AWQ, GPTQ, FP8).",
    )
