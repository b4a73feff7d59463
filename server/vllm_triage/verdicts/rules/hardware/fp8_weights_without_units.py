"""FP8 weights on a device without FP8 arithmetic.

## What happens
The engine starts; weights stay in 8 bits and are multiplied in 16.

## Why
FP8 matrix units exist from compute capability 8.9. Below, the Marlin kernels unpack the weights: memory is saved,
compute is not.

## Versions
>=0.8.5

## Evidence
- vllm/model_executor/layers/quantization/fp8.py, Fp8LinearMethod (0.18.0; Marlin below 8.9, get_min_capability 75)

## Fix
Expect the memory saving only; for prefill speed use a 16-bit or INT8 checkpoint, or a newer GPU.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("degraded", flags=("--quantization",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    stored = ctx.need_model().quantization
    asked = ctx.arg("quantization") if stored is None else stored.method
    if asked not in ("fp8", "modelopt", "fbgemm_fp8"):
        return None
    have = ctx.need_capability()
    if have is None or have >= (8, 9):
        return None
    return Hit(
        message=f"{asked} weights on {ctx.need_gpu().name} (compute capability {have[0]}.{have[1]}) are computed in 16 "
        "bits.",
        effect="Half the weight memory and faster decode, but no faster prefill.",
        steps=(drop("--quantization"),) if stored is None else (),
        fix="Nothing to change if memory was the reason; for compute use an INT8 (W8A8) checkpoint or a newer GPU.",
    )
