"""The draft's attention heads do not divide by its tensor parallel size.

## What happens
The engine refuses to start.

## Why
The draft is split over its ranks as the target is: over all of the target's unless draft_tensor_parallel_size is 1.

## Versions
>=0.9

## Evidence
- vllm/config/speculative.py, SpeculativeConfig._verify_args calls ModelConfig.verify_with_parallel_config on the
  draft (0.18.0 line 775)
- create_engine_config of 0.18.0 to 0.33.0 on a draft with two heads and tensor parallel size 4

## Fix
Run a draft whose heads divide, or a smaller tensor parallel size.
"""

from ...context import Context
from ...rule import Hit, fix_text, put, rule
from ...speculation import ngram

_WITHOUT_DRAFT = frozenset({"ngram", "ngram_gpu", "suffix", "extract_hidden_states", "custom_class", "mtp"})


@rule("fatal", flags=("--speculative-config", "--tensor-parallel-size"), needs=("draft model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.model is None or spec.method in _WITHOUT_DRAFT or ctx.tp == 1:
        return None
    size = spec.raw.get("draft_tensor_parallel_size") or ctx.tp
    if not isinstance(size, int) or size == 1:
        return None
    draft = ctx.need_draft()
    if not draft.q_heads or draft.q_heads % size == 0:
        return None
    steps = (put("--speculative-config", ngram(spec.tokens)),)
    return Hit(
        message=f"The draft {draft.id} has {draft.q_heads} attention heads, which do not divide by {size}.",
        effect="vLLM stops before loading.",
        fix=f"Use a draft whose heads divide by {size}, or draft without a model: {fix_text(steps)}.",
        steps=steps,
    )
