"""--quantization is overridden by the checkpoint.

## What happens
The engine starts with the checkpoint's own method, whatever was asked.

## Why
ModelOpt, AutoRound and, from 0.20, gpt-oss checkpoints are claimed by their loader before the flag is compared.

## Versions
>=0.10

## Evidence
- vllm/model_executor/layers/quantization/modelopt.py, inc.py and mxfp4.py, override_quantization_method (0.20.2,
  0.31.0, 0.33.0)
- create_engine_config of 0.31.0 to 0.33.0 on gpt-oss with `--quantization gptq`

## Fix
Take --quantization out.
"""

from ...context import Context
from ...rule import Hit, drop, rule
from ._quantization import claimed_by_loader


@rule("silent", flags=("--quantization",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("quantization")
    if not isinstance(asked, str):
        return None
    model = ctx.need_model()
    if model.quantization is None or not claimed_by_loader(ctx, model):
        return None
    own = "gpt_oss_mxfp4" if model.quantization.method == "mxfp4" else model.quantization.method
    alike = ("mxfp4",) if own == "gpt_oss_mxfp4" else ("inc", "auto_round", "modelopt")
    if asked.replace("-", "_") in (own.replace("-", "_"), *alike):
        return None
    return Hit(
        message=f"--quantization {asked} is given for {model.id}, which loads as {own} in any case.",
        effect="The flag changes nothing.",
        steps=(drop("--quantization"),),
        changed=(("quantization", asked, own),),
    )
