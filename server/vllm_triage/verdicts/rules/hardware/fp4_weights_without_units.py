"""FP4 weights on a device without FP4 arithmetic.

## What happens
The engine starts; weights stay in 4 bits and are multiplied in 16, activations are not quantized.

## Why
FP4 matrix units came with Blackwell. Before it vLLM unpacks NVFP4 weights in the Marlin kernels from 0.9, and MXFP4 weights
there or, on Hopper, in Triton's: memory is saved, compute is not.

## Versions
>=0.9

## Evidence
- vllm/model_executor/layers/quantization/utils/marlin_utils_fp4.py, is_fp4_marlin_supported (0.9.0: from 8.0; 0.15.0: from
  7.5) and prepare_fp4_layer_for_marlin, which warns of compute-heavy work
- vllm/model_executor/layers/quantization/mxfp4.py, get_mxfp4_backend (0.10.2, 0.12.0): Marlin below 9.0

## Fix
Expect the memory saving only; where prefill binds, use an FP8 checkpoint on Hopper and Ada, INT8 on Ampere.
"""

from ...context import Context
from ...rule import Hit, drop, rule

NVFP4 = frozenset({"modelopt_fp4", "nvfp4", "petit_nvfp4"})
MXFP4 = frozenset({"mxfp4", "gpt_oss_mxfp4"})


@rule("degraded", flags=("--quantization",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("quantization")
    if asked is None:
        stored = ctx.need_model().quantization
        asked = None if stored is None else stored.method
    if not isinstance(asked, str) or asked not in NVFP4 | MXFP4:
        return None
    have = ctx.need_capability()
    if have is None or have >= (10, 0):
        return None
    kernel = "the Triton or Marlin kernels" if asked in MXFP4 and have[0] == 9 else "the Marlin kernels"
    other = "INT8 (W8A8)" if have < (8, 9) else "FP8"
    return Hit(
        message=f"{asked} weights on {ctx.need_gpu().name} (compute capability {have[0]}.{have[1]}) are unpacked by {kernel} "
        "and computed in 16 bits.",
        effect="A quarter of the weight memory and faster decode at small batches, but no faster prefill.",
        steps=(drop("--quantization"),) if ctx.given("quantization") else (),
        fix=f"Nothing to change if memory was the reason; for compute use an {other} checkpoint or a Blackwell GPU.",
    )
