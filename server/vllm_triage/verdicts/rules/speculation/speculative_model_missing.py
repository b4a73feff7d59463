"""A speculative method that needs a draft is given none.

## What happens
The engine refuses to start: it was told how many tokens to draft, but not with what.

## Why
Only MTP (the target's own module), n-gram, suffix and hidden-state extraction work without a `model`; from 0.22 `custom_class` names its
module there.

## Versions
>=0.11

## Evidence
- vllm/config/speculative.py, SpeculativeConfig.__post_init__ (0.18.0 line 383, 0.31.0 line 1182, 0.33.0 line 1293)
- create_engine_config of 0.18.0, 0.23.0, 0.31.0, 0.32.0 and 0.33.0 on `{"method":"eagle","num_speculative_tokens":3}`

## Fix
Name the draft in `model`, or use a method that needs none.
"""

from ...context import Context
from ...rule import Hit, fix_text, put, rule
from ...speculation import ngram

_ALONE = frozenset({"mtp", "ngram", "ngram_gpu", "suffix", "extract_hidden_states"})


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.model is not None or spec.tokens is None or spec.method in _ALONE:
        return None
    if spec.method == "custom_class" and not ctx.at_least(0, 22):
        return None
    steps = (put("--speculative-config", ngram(spec.tokens)),)
    return Hit(
        message=f'The method "{spec.asked_method or "draft_model"}" drafts {spec.tokens} tokens but no "model" is '
        "given.",
        effect="vLLM stops before loading: num_speculative_tokens was provided without a speculative model.",
        fix=f'Add "model": "<id of the draft>" to --speculative-config, or draft without one: {fix_text(steps)}.',
        steps=steps,
    )
