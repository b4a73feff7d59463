"""A KV transfer configuration without a connector.

## What happens
The engine refuses to start.

## Why
The object says how to move KV cache; without kv_connector nothing says with what.

## Versions
>=0.9

## Evidence
- vllm/v1/core/sched/scheduler.py, Scheduler.__init__ makes the connector whenever there is a configuration (0.9.0
  line 76); vllm/distributed/kv_transfer/kv_connector/factory.py, KVConnectorFactory (0.9.0 line 68: unsupported
  connector type, 0.11.1 and 0.33.0: connector name is not set)
- create_engine_config of 0.33.0 on `{}`

## Fix
Name the connector, or take --kv-transfer-config out.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--kv-transfer-config",))
def check(ctx: Context) -> Hit | None:
    config = ctx.arg("kv_transfer_config")
    if not isinstance(config, dict) or config.get("kv_connector") is not None or ctx.given("kv_offloading_size"):
        return None
    return Hit(
        message='--kv-transfer-config names no "kv_connector".',
        effect="vLLM stops before loading.",
        steps=(drop("--kv-transfer-config"),),
    )
