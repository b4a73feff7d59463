"""EAGLE-3 on a target that is no Llama.

## What happens
The engine refuses to start.

## Why
Only Llama handed out the hidden states EAGLE-3 drafts from; from 0.10.1 Qwen does too.

## Versions
>=0.8.5,<0.11

## Evidence
- vllm/config.py, SpeculativeConfig._verify_args (0.8.5 line 2588, 0.10.0 line 3027)

## Fix
Use a head of another kind, MTP or n-gram.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ...speculation import ngram


@rule("fatal", flags=("--speculative-config",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method != "eagle3":
        return None
    model = ctx.need_model()
    kind = model.model_type or ""
    if "llama" in kind or not kind or (ctx.at_least(0, 10, 1) and "qwen" in kind):
        return None
    return Hit(
        message=f"{model.id} is no Llama; EAGLE-3 is for Llama alone in {ctx.version}.",
        effect="vLLM stops before loading.",
        steps=(put("--speculative-config", ngram(spec.tokens)),),
    )
