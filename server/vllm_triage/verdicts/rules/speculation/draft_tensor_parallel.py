"""The draft's tensor parallel size is neither 1 nor the target's.

## What happens
The engine refuses to start.

## Why
A draft runs on one rank or on all ranks of the target; nothing between is implemented.

## Versions
>=0.6.6

## Evidence
- vllm/config/speculative.py, SpeculativeConfig._verify_and_get_draft_tp (0.18.0 line 709, 0.31.0 line 1733, 0.33.0
  line 1866)
- create_engine_config of 0.18.0 to 0.33.0 on draft_tensor_parallel_size 2 with a target on one GPU

## Fix
Take draft_tensor_parallel_size out: the draft then runs at the target's size.
"""

from ...context import Context
from ...rule import Hit, put, rule

_WITHOUT_DRAFT = frozenset({"ngram", "ngram_gpu", "suffix", "extract_hidden_states", "custom_class"})


@rule("fatal", flags=("--speculative-config", "--tensor-parallel-size"))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method in _WITHOUT_DRAFT:
        return None
    size = spec.raw.get("draft_tensor_parallel_size")
    if size is None or size in (1, ctx.tp):
        return None
    return Hit(
        message=f"The draft is asked to run on {size} ranks, the target on {ctx.tp}; only 1 or {ctx.tp} is accepted.",
        effect="vLLM stops before loading.",
        steps=(put("--speculative-config", spec.but(draft_tensor_parallel_size=None)),),
    )
