"""The mlp_speculator method.

## What happens
The name is accepted, and the engine then refuses to start.

## Why
The V1 engine never had a proposer for it; 0.33 took the name out.

## Versions
>=0.10,<0.33

## Evidence
- vllm/v1/worker/gpu_model_runner.py, GPUModelRunner.__init__ (0.18.0 line 561: unknown speculative decoding method);
  create_engine_config of 0.18.0 on `{"method":"mlp_speculator"}`

## Fix
Draft with EAGLE-3, MTP or n-gram.
"""

from ...context import Context
from ...rule import Hit, put, rule
from ...speculation import ngram


@rule("fatal", flags=("--speculative-config",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method != "mlp_speculator" or spec.model is None:
        return None
    steps = (put("--speculative-config", ngram(spec.tokens)),)
    return Hit(
        message=f"The method mlp_speculator has no proposer in vLLM {ctx.version}.",
        effect="The worker stops: unknown speculative decoding method.",
        steps=steps,
    )
