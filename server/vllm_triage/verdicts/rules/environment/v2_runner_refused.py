"""The V2 model runner is forced where a feature needs the V1 runner.

## What happens
The engine refuses to start.

## Why
With the variable set there is no fallback.

## Versions
>=0.23

## Evidence
- vllm/config/vllm.py, VllmConfig._validate_v2_model_runner and _get_v2_model_runner_unsupported_features (0.23.0
  to 0.33.0; n-gram is supported from 0.32, Medusa and MLP speculators from 0.33; what 0.23 to 0.28 lack beyond)

## Fix
Unset VLLM_USE_V2_MODEL_RUNNER.
"""

from ....engine.settings.overlap import methods_without_v2
from ...context import Context
from ...rule import Hit, drop_env, rule


@rule("fatal", flags=())
def check(ctx: Context) -> Hit | None:
    if ctx.env.get("VLLM_USE_V2_MODEL_RUNNER") != "1":
        return None
    spec = ctx.spec
    lacking = []
    if spec is not None and spec.method in methods_without_v2(ctx.release):
        lacking.append(f"speculation by {spec.method}")
    if spec is not None and spec.parallel and spec.method not in ("dflash", "dspark"):
        lacking.append("parallel drafting")
    if spec is not None and ctx.at_least(0, 32) and spec.raw.get("use_heterogeneous_vocab") is True:
        lacking.append("draft models of another vocabulary")
    if ctx.pp > 1 and ctx.arg("distributed_executor_backend") == "external_launcher":
        lacking.append("pipeline parallelism with external_launcher")
    if not ctx.at_least(0, 29):
        lacking += _early(ctx)
    if not lacking:
        return None
    return Hit(
        message=f"VLLM_USE_V2_MODEL_RUNNER=1 is set, and the V2 model runner does not support {' nor '.join(lacking)}.",
        effect="vLLM stops before loading.",
        steps=(drop_env("VLLM_USE_V2_MODEL_RUNNER"),),
    )


EARLY_METHODS = frozenset({"eagle", "eagle3", "mtp"})
"""Speculative methods of the V2 runner in 0.23 and 0.24; 0.25 adds dflash and dspark."""
EARLY = {
    "enable_dbo": "dual batch overlap", "logits_processors": "custom logits processors", "enable_prompt_embeds": "prompt embeds",
    "kv_sharing_fast_prefill": "KV sharing fast prefill", "ec_transfer_config": "encoder cache transfer",
}  # fmt: skip
"""What 0.23 to 0.28 do not support on the V2 runner beyond later releases, by destination."""


def _early(ctx: Context) -> list[str]:
    spec = ctx.spec
    methods = EARLY_METHODS | ({"dflash", "dspark"} if ctx.at_least(0, 25) else set())
    lacking = [words for dest, words in EARLY.items() if ctx.arg(dest) not in (None, False, [], {})]
    if spec is not None and spec.certain and spec.method not in methods:
        lacking.append(f"speculation by {spec.method}")
    if ctx.pp > 1 and spec is not None and spec.method == "eagle3":
        lacking.append("EAGLE-3 with pipeline parallelism")
    return lacking
