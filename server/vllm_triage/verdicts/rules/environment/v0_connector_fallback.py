"""A KV connector makes vLLM fall back to the V0 engine.

## What happens
The engine starts on V0 and says so in a warning.

## Why
V1 connectors came with 0.9.

## Versions
>=0.8,<0.9

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._is_v1_supported_oracle (0.8.0 to 0.8.5)
- https://github.com/vllm-project/vllm/issues/16395

## Fix
Upgrade to 0.9, where V1 connectors exist.
"""

from ...context import Context
from ...rule import Hit, rule, set_env


@rule("silent", flags=("--kv-transfer-config",))
def check(ctx: Context) -> Hit | None:
    connector = ctx.mapping("kv_transfer_config").get("kv_connector")
    if connector is None or ctx.env.get("VLLM_USE_V1") == "0":
        return None
    return Hit(
        message=f"The KV connector {connector} is not supported by the V1 engine of {ctx.version}.",
        effect="The V0 engine runs instead.",
        steps=(set_env("VLLM_USE_V1", "0"),),
        fix="Upgrade to 0.9 or later; to show that V0 is meant, `VLLM_USE_V1=0`.",
        changed=(("engine", "V1", "V0"),),
    )
