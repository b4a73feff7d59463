"""A draft without pipeline support under pipeline parallelism.

## What happens
The engine refuses to start: pipeline parallelism is not supported for this model.

## Why
The check for the target is also made for the draft, and the MTP and DSpark modules of several families do not
implement stages. DeepSeek's module had them until 0.13 and has them again from 0.30.

## Versions
>=0.10

## Evidence
- vllm/config/speculative.py, SpeculativeConfig._verify_args calls verify_with_parallel_config on the draft (0.31.0,
  0.33.0); the draft classes without SupportsPP recorded for each release
- vllm/model_executor/models/deepseek_mtp.py, DeepSeekMTP (bases in 0.13.0, 0.14.0, 0.29.0, 0.30.0)
- create_engine_config of 0.18.0 on DeepSeek-V3 with `-pp 2`
- https://github.com/vllm-project/vllm/issues/52761

## Fix
Split the model with tensor parallelism.
"""

from ....facts.architectures import implements
from ...context import Context
from ...rule import Hit, drop, rule

_MODULES = {
    ("deepseek_v3", "mtp"): "DeepSeekMTPModel",
    ("deepseek_v32", "mtp"): "DeepSeekMTPModel",
    ("glm_moe_dsa", "mtp"): "DeepSeekMTPModel",
    ("deepseek_v4", "mtp"): "DeepSeekV4MTPModel",
    ("deepseek_v4", "dspark"): "DSparkDraftModel",
    ("glm4_moe", "mtp"): "Glm4MoeMTPModel",
    ("longcat_flash", "mtp"): "LongCatFlashMTPModel",
    ("ernie4_5_moe", "mtp"): "ErnieMTPModel",
    ("mimo", "mtp"): "MiMoMTPModel",
    ("qwen3_next", "mtp"): "Qwen3NextMTP",
    ("qwen3_5", "mtp"): "Qwen3_5MTP",
    ("qwen3_5_moe", "mtp"): "Qwen3_5MoeMTP",
    ("exaone_moe", "mtp"): "ExaoneMoeMTP",
    ("step3p5", "mtp"): "Step3p5MTP",
    ("pangu_ultra_moe", "mtp"): "OpenPanguMTPModel",
}
"""The module's architecture by target and method (SpeculativeConfig.hf_config_override)."""


@rule("fatal", flags=("--speculative-config", "--pipeline-parallel-size"), needs=("model",))
def check(ctx: Context) -> Hit | None:
    spec = ctx.spec
    if spec is None or spec.method not in ("mtp", "dspark") or spec.model is not None or ctx.pp <= 1:
        return None
    model = ctx.need_model()
    draft = _MODULES.get((model.model_type or "", spec.method))
    if draft is None or implements(draft, ctx.version, "pipeline") is not False:
        return None
    return Hit(
        message=f"{draft}, the {spec.method} module of {model.id}, has no pipeline stages; pipeline parallel size is "
        f"{ctx.pp}.",
        effect="vLLM stops before loading.",
        steps=(drop("--pipeline-parallel-size"),),
        fix="Split the model with `--tensor-parallel-size` instead; remove `--pipeline-parallel-size`.",
    )
