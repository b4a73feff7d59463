"""max_model_len above what the model was made for.

## What happens
The engine refuses to start unless VLLM_ALLOW_LONG_MAX_MODEL_LEN=1 is set.

## Why
Positions past the trained range give nonsense or out-of-range lookups. The limit is derived from config.json with its
rope scaling applied.

## Versions
all

## Evidence
- vllm/config/model.py, _get_and_verify_max_len (0.18.0 line 2082, 0.31.0 line 2618, 0.33.0 line 2680)
- create_engine_config of 0.18.0 to 0.33.0

## Fix
Lower --max-model-len to the derived length, or scale rope with --hf-overrides.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--max-model-len",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.whole("max_model_len")
    forced = ctx.env.get("VLLM_ALLOW_LONG_MAX_MODEL_LEN", "0").strip().lower() in ("1", "true")
    if asked <= 0 or forced or ctx.given("hf_overrides"):
        return None
    model = ctx.need_own_config()
    most = model.derived_max_model_len
    if most is None or asked <= most:
        return None
    return Hit(
        message=f"--max-model-len {asked} is above the {most} tokens that {model.id} derives from its config.",
        effect="vLLM stops before loading.",
        steps=(put("--max-model-len", most),),
        fix=f"`--max-model-len {most}`. VLLM_ALLOW_LONG_MAX_MODEL_LEN=1 forces it, at the price of wrong output or a "
        "crash past the trained range.",
    )
