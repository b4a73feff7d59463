"""tensor_parallel_size inside --speculative-config.

## What happens
The engine refuses to start.

## Why
The key exists only to catch this mistake; the draft's tensor parallel size is `draft_tensor_parallel_size`.

## Versions
>=0.15

## Evidence
- vllm/config/speculative.py, SpeculativeConfig._verify_args (0.18.0 line 757, 0.31.0 line 1808, 0.33.0 line 1941)
- create_engine_config of 0.18.0 on a speculative configuration with the key

## Fix
Take the key out; the draft then runs at the target's size.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.raw.get("tensor_parallel_size") is None:
        return None
    return Hit(
        message=f'--speculative-config holds "tensor_parallel_size": {spec.raw["tensor_parallel_size"]}, which is not '
        'a key of a draft; the key is "draft_tensor_parallel_size".',
        effect="vLLM stops before loading.",
        steps=(put("--speculative-config", spec.but(tensor_parallel_size=None)),),
    )
