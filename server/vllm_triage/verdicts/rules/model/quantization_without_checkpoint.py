"""A pre-quantized format named for a checkpoint that is not quantized.

## What happens
The engine refuses to start: it looks for the format's config file and finds none.

## Why
AWQ, GPTQ, compressed-tensors and the like describe how weights were stored. Only a few methods quantize while
loading: fp8 and the other online methods and bitsandbytes; torchao only with a configuration in --hf-overrides.

## Versions
>=0.8.5

## Evidence
- vllm/model_executor/model_loader/weight_utils.py, get_quant_config (0.18.0, 0.33.0)
- create_engine_config of 0.18.0 to 0.33.0 on an unquantized checkpoint with `--quantization awq`

## Fix
Serve the quantized checkpoint, or quantize while loading with `--quantization fp8`.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_STORED = frozenset(
    {
        "awq",
        "awq_marlin",
        "auto_awq",
        "gptq",
        "gptq_marlin",
        "auto_gptq",
        "gptq_marlin_24",
        "gptq_bitblas",
        "bitblas",
        "compressed-tensors",
        "quark",
        "modelopt",
        "modelopt_fp4",
        "modelopt_mxfp8",
        "modelopt_mixed",
        "hqq",
        "aqlm",
        "torchao",
    }
)


@rule("fatal", flags=("--quantization",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("quantization")
    if (
        not isinstance(asked, str)
        or asked not in _STORED
        or ctx.given("quantization_config")
        or ctx.given("hf_overrides")
    ):
        return None
    model = ctx.need_model()
    if model.quantization is not None:
        return None
    return Hit(
        message=f"--quantization {asked} is given, but {model.id} holds unquantized weights.",
        effect="vLLM stops before loading: it cannot find the config file of that format.",
        steps=(drop("--quantization"),),
        fix=f"Serve a checkpoint stored as {asked}, or remove `--quantization` (`--quantization fp8` quantizes while "
        "loading).",
    )
