"""A KV connector with expandable CUDA segments.

## What happens
The engine refuses to start.

## Why
The expandable allocator may move a virtual address to other physical pages, and connectors register the KV cache by
physical page; transfers would then read stale memory.

## Versions
>=0.21

## Evidence
- vllm/config/vllm.py, VllmConfig._verify_kv_transfer_compat (0.31.0 line 1249, 0.33.0 line 1291)

## Fix
Unset expandable_segments, or turn the CuMem allocator on (sleep mode does).
"""

from ...context import Context
from ...rule import Hit, drop_env, rule


@rule("fatal", flags=("--kv-transfer-config",))
def check(ctx: Context) -> Hit | None:
    allocator = ctx.env.get("PYTORCH_CUDA_ALLOC_CONF", "")
    connector = ctx.mapping("kv_transfer_config").get("kv_connector")
    if "expandable_segments:True" not in allocator or connector is None:
        return None
    if ctx.arg("enable_sleep_mode") is True or ctx.arg("enable_cumem_allocator") is True:
        return None
    return Hit(
        message=f"PYTORCH_CUDA_ALLOC_CONF={allocator} is set with the KV connector {connector}.",
        effect="vLLM stops before loading.",
        steps=(drop_env("PYTORCH_CUDA_ALLOC_CONF"),),
    )
