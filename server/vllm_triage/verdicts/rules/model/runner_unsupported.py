"""A runner the model has nothing for.

## What happens
The engine refuses to start.

## Why
A model that only embeds or classifies has no head to generate with; a model that generates pools only once it is
converted.

## Versions
>=0.10.1

## Evidence
- vllm/config/model.py, ModelConfig.__post_init__ (0.10.1, 0.28.0 line 655, 0.33.0 line 720): `is_text_generation_model`,
  `is_pooling_model` and `_RUNNER_CONVERTS`

## Fix
Leave --runner and --convert at auto.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--runner", "--convert"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    runner, convert = ctx.arg("runner"), ctx.arg("convert")
    if runner == "generate":
        model = ctx.need_model()
        if not model.is_pooling:
            return None
        why = "only pools"
    elif runner == "pooling" and convert == "none":
        model = ctx.need_model()
        if model.is_pooling:
            return None
        why = "generates, and is not to be converted"
    else:
        return None
    return Hit(
        message=f"--runner {runner} is given, but {model.id} {why}.",
        effect="vLLM stops before loading.",
        steps=(drop("--runner"), drop("--convert")),
    )
