"""Hidden states are to be extracted, from no layer.

## What happens
The worker refuses to start, before it loads the model.

## Why
The method `extract_hidden_states` reads the layers to hand out from the config of a draft, and there is no draft: they must be
given as `draft_model_config`.

## Versions
>=0.17

## Evidence
- vllm/v1/spec_decode/extract_hidden_states.py, ExtractHiddenStatesProposer.__init__ (0.17.0 line 61, 0.23.0 line 67,
  0.33.0 line 68)

## Fix
Name the layers: `"draft_model_config": {"hf_config": {"eagle_aux_hidden_state_layer_ids": [1, 2]}}`.
"""

from ....domain import Json
from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.asked_method != "extract_hidden_states":
        return None
    draft = spec.raw.get("draft_model_config")
    if draft is not None and not isinstance(draft, dict):
        return None
    config = (draft or {}).get("hf_config")
    if config is not None and not isinstance(config, dict):
        return None
    if (config or {}).get("eagle_aux_hidden_state_layer_ids"):
        return None
    named: dict[str, Json] = {"hf_config": {**(config or {}), "eagle_aux_hidden_state_layer_ids": [1, 2]}}
    return Hit(
        message="extract_hidden_states is asked for without the layers to hand out (eagle_aux_hidden_state_layer_ids).",
        effect="The worker stops: the layers must be set in the draft model config.",
        steps=(put("--speculative-config", spec.but(draft_model_config={**(draft or {}), **named})),),
    )
