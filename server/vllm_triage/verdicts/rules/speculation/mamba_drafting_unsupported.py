"""Speculation on recurrent models before it existed.

## What happens
The worker refuses to start.

## Why
Rejected drafts must be taken back out of the state, which these releases cannot.

## Versions
>=0.9.2,<0.11.1

## Evidence
- vllm/v1/worker/gpu_model_runner.py (0.9.2 to 0.11.0: the runner refuses Mamba layers with drafts)
- https://github.com/vllm-project/vllm/pull/25752

## Fix
Run without speculation.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--speculative-config",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.spec is None:
        return None
    model = ctx.need_model()
    kinds = {run.kind for run in model.runs}
    if "mamba" not in kinds:
        return None
    return Hit(
        message=f"{model.id} keeps recurrent state, from which vLLM {ctx.version} cannot take drafts back.",
        effect="The worker stops while it builds the KV cache.",
        steps=(drop("--speculative-config"),),
    )
