"""MTP speculation on a model without an MTP module.

## What happens
The engine refuses to start.

## Why
`mtp` drafts with layers the checkpoint itself ships. Only some architectures have them, and each release knows its
own list.

## Versions
>=0.11

## Evidence
- vllm/config/speculative.py, SpeculativeConfig.hf_config_override and __post_init__ (0.18.0 line 517, 0.31.0 line
  1383, 0.33.0 line 1499); the model types of every release recorded from hf_config_override
- create_engine_config of 0.18.0 to 0.33.0 on Llama, Qwen3, Gemma 3 with method mtp

## Fix
Draft with n-gram or an EAGLE-3 head instead.
"""

from ....facts.config_fields import mtp_targets
from ...context import Context
from ...rule import Hit, fix_text, put, rule
from ...speculation import ngram


@rule("fatal", flags=("--speculative-config",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method != "mtp" or spec.model is not None:
        return None
    model = ctx.need_model()
    known = mtp_targets(ctx.version)
    whole = (model.model_type or "").removesuffix("_text")  # a multimodal model is looked up by its whole config's type
    if {model.model_type, whole, model.architecture} & set(known) or model.mtp_layers:
        return None
    steps = (put("--speculative-config", ngram(spec.tokens)),)
    return Hit(
        message=f"{model.id} ({model.model_type}) has no MTP module that vLLM {ctx.version} knows.",
        effect="vLLM stops before loading: unsupported speculative method.",
        fix=f"Draft without a module: {fix_text(steps)}, or with an EAGLE-3 head made for the model.",
        steps=steps,
    )
