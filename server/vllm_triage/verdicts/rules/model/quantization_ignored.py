"""--quantization is overridden by the checkpoint.

## What happens
The engine starts with the checkpoint's own method, whatever was asked.

## Why
For gpt-oss the MXFP4 loader claims the checkpoint before the flag is compared.

## Versions
>=0.20

## Evidence
- vllm/model_executor/layers/quantization/mxfp4.py, GptOssMxfp4Config.override_quantization_method (0.20.2, 0.31.0,
  0.33.0)
- create_engine_config of 0.31.0 to 0.33.0 on gpt-oss with `--quantization gptq`

## Fix
Take --quantization out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("silent", flags=("--quantization",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("quantization")
    if not isinstance(asked, str) or asked in ("mxfp4", "gpt_oss_mxfp4"):
        return None
    model = ctx.need_model()
    if model.model_type != "gpt_oss" or model.quantization is None or model.quantization.method != "mxfp4":
        return None
    return Hit(
        message=f"--quantization {asked} is given for {model.id}, which loads as MXFP4 in any case.",
        effect="The flag changes nothing.",
        steps=(drop("--quantization"),),
        changed=(("quantization", asked, "gpt_oss_mxfp4"),),
    )
