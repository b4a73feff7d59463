"""Expert parallelism with a quantization whose kernel takes no map of experts.

## What happens
The workers stop in their first run.

## Why
With experts spread over ranks a kernel is given the map of which expert lives where. Early kernels for quantized experts
knew none.

## Versions
>=0.8,<0.9.3

## Evidence
- vllm/model_executor/layers/quantization/awq_marlin.py, AWQMoEMethod.apply (0.8.0 line 475; gone in 0.8.5);
  compressed_tensors/compressed_tensors_moe.py, CompressedTensorsWNA16MarlinMoEMethod.apply (0.8.0 line 557, 0.8.5 line
  853; gone in 0.9.0); modelopt.py, ModelOptNvFp4FusedMoE.apply (0.9.0 line 700 to 0.9.2)
- https://github.com/vllm-project/vllm/issues/15760

## Fix
Take --enable-expert-parallel out, or upgrade.
"""

from ...context import Context
from ...rule import Hit, drop, rule

MAPLESS: tuple[tuple[str, str, tuple[int, int]], ...] = (
    ("awq", ">=0.8,<0.8.5", (8, 0)),
    ("compressed-tensors", ">=0.8,<0.9", (8, 0)),
    ("modelopt_fp4", ">=0.9,<0.9.3", (10, 0)),
)
"""Checkpoint's method, releases, least compute capability on which that kernel is taken."""


@rule("fatal", flags=("--enable-expert-parallel", "--quantization"), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_expert_parallel") is not True or ctx.tp * ctx.dp <= 1:
        return None
    model = ctx.need_model()
    stored = model.quantization
    if stored is None or model.moe is None or (stored.weight_bits or 16) > 5:
        return None
    found = [least for method, releases, least in MAPLESS if method == stored.method and ctx.within(releases)]
    if not found or (have := ctx.need_capability()) is None or have < found[0]:
        return None
    return Hit(
        message=f"--enable-expert-parallel is given for {model.id}, whose {stored.method} experts vLLM {ctx.version} does not "
        "spread over ranks.",
        effect="The workers stop in their first run.",
        steps=(drop("--enable-expert-parallel"),),
    )
