"""EAGLE-3 on a target that does not give its hidden states.

## What happens
The engine refuses to start, at load if not before.

## Why
EAGLE-3 drafts from hidden states of several target layers, which the target's class must hand out.

## Versions
>=0.10.1

## Evidence
- vllm/v1/worker/gpu/spec_decode/eagle/eagle3_utils.py (0.18.0 line 19, 0.31.0 line 20, 0.33.0 line 29); the classes
  with SupportsEagle3 recorded for each release from vllm/model_executor/models
- vllm/v1/worker/gpu_model_runner.py, GPUModelRunner.load_model (0.10.1 line 2003, 0.10.2 line 2388)
- https://github.com/vllm-project/vllm/issues/25134
- https://github.com/vllm-project/vllm/blob/v0.10.0/vllm/config.py (Eagle3 is only supported for Llama models)

## Fix
Use a head of another kind, MTP or n-gram.
"""

from ....facts.architectures import implements
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
    if not ctx.at_least(0, 11) and "llama" not in kind and "qwen" not in kind:
        return None  # refused before loading: eagle3-llama-only
    if model.architecture is None or implements(model.architecture, ctx.version, "eagle3") is not False:
        return None
    return Hit(
        message=f"{model.architecture} does not support EAGLE-3 in vLLM {ctx.version}.",
        effect="vLLM stops at load: the model does not support EAGLE-3.",
        steps=(put("--speculative-config", ngram(spec.tokens)),),
    )
