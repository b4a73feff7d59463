"""Experts do not divide by the ranks.

## What happens
The worker refuses to start.

## Why
With the load balancer every rank holds the same number of experts, redundant ones included.

## Versions
>=0.10

## Evidence
- vllm/model_executor/layers/fused_moe/layer.py (0.18.0 line 427, 0.33.0 line 274);
  vllm/models/deepseek_v4/nvidia/model.py (0.33.0 line 357)
- https://github.com/vllm-project/vllm/issues/52435

## Fix
Set num_redundant_experts so that experts and spares divide by the ranks.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("fatal", flags=("--enable-expert-parallel", "--tensor-parallel-size", "--data-parallel-size"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    if ctx.arg("enable_expert_parallel") is not True or ctx.arg("enable_eplb") is not True:
        return None
    model = ctx.need_model()
    ranks = ctx.tp * ctx.dp
    if model.moe is None or ranks <= 1:
        return None
    config = ctx.mapping("eplb_config")
    spare = config.get("num_redundant_experts", 0)
    if not isinstance(spare, int) or (model.moe.experts + spare) % ranks == 0:
        return None
    fits = -model.moe.experts % ranks
    return Hit(
        message=f"{model.moe.experts} experts and {spare} redundant ones do not divide by {ranks} ranks.",
        effect="The worker stops while it places the experts.",
        steps=(put("--eplb-config", {**config, "num_redundant_experts": fits}),),
    )
