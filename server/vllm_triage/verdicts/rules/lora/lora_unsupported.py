"""LoRA on a model without support.

## What happens
Loading fails; from 0.33 the configuration refuses already.

## Why
A model's class must name the modules adapters may replace.

## Versions
all

## Evidence
- vllm/config/lora.py, LoRAConfig.verify_with_model_config (0.33.0 line 150);
  vllm/v1/worker/lora_model_runner_mixin.py, load_lora_model (0.18.0); the classes with SupportsLoRA recorded for each
  release

## Fix
Take --enable-lora out, or merge the adapter into the weights.
"""

from ....facts.architectures import implements
from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--enable-lora",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_lora") is not True:
        return None
    model = ctx.need_model()
    if model.architecture is None or implements(model.architecture, ctx.version, "lora") is not False:
        return None
    return Hit(
        message=f"{model.architecture} does not support LoRA in vLLM {ctx.version}.",
        effect="vLLM stops at load.",
        steps=(drop("--enable-lora"),),
        fix="Merge the adapter into the weights, and remove `--enable-lora`.",
    )
