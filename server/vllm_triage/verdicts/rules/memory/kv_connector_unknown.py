"""A KV connector of another release.

## What happens
The engine stops while it starts its scheduler and workers.

## Why
Connectors are looked up by name. They came one by one, and those of the V0 engine are gone from 0.10.1. A name that is
none of vLLM's in any release may come from a package installed beside it, and is not judged.

## Versions
>=0.7

## Evidence
- vllm/distributed/kv_transfer/kv_connector/factory.py, the register_connector calls of each release, and
  KVConnectorFactory.get_connector_class (0.11.0 to 0.33.0): Unsupported connector type

## Fix
Name one of the release's own, or give "kv_connector_module_path" for one of your own.
"""

from ...context import Context, Needs
from ...rule import Hit, drop, rule

__all__ = ["OWN", "check", "known"]

_CAME = (
    ((0, 6), "PyNcclConnector MooncakeConnector"),
    ((0, 8), "LMCacheConnector"),
    ((0, 8, 3), "MooncakeStoreConnector"),
    ((0, 8, 5), "SharedStorageConnector LMCacheConnectorV1"),
    ((0, 9), "NixlConnector MultiConnector"),
    ((0, 9, 2), "P2pNcclConnector"),
    ((0, 11), "OffloadingConnector"),
    ((0, 11, 1), "LMCacheMPConnector DecodeBenchConnector"),
    ((0, 13), "ExampleConnector"),
    ((0, 14), "MoRIIOConnector"),
    ((0, 17), "ExampleHiddenStatesConnector"),
    ((0, 18), "FlexKVConnectorV1"),
    ((0, 19), "SimpleCPUOffloadConnector"),
    ((0, 20), "HF3FSKVConnector"),
    ((0, 24), "NixlPullConnector NixlPushConnector"),
    ((0, 30), "HiSparseConnector"),
)
_AWAY = (
    ("PyNcclConnector LMCacheConnector", ">=0.10.1"),
    ("MooncakeConnector", ">=0.10.1,<0.13"),
    ("MooncakeStoreConnector", ">=0.10.1,<0.21"),
    ("SharedStorageConnector", ">=0.13"),
    ("P2pNcclConnector", ">=0.24"),
)
OWN = frozenset(name for _, names in _CAME for name in names.split())
_OF_V0 = frozenset({"PyNcclConnector", "MooncakeConnector", "LMCacheConnector", "MooncakeStoreConnector"})


def known(ctx: Context) -> frozenset[str]:
    """The connectors a release registers."""
    came = {name for first, names in _CAME if ctx.release >= first for name in names.split()}
    return frozenset(came - {name for names, versions in _AWAY if ctx.within(versions) for name in names.split()})


@rule("fatal", flags=("--kv-transfer-config",), needs=("plugins",))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("kv_transfer_config")
    name = config.get("kv_connector")
    if not isinstance(name, str) or config.get("kv_connector_module_path"):
        return None
    names = known(ctx)
    if name not in names:
        if name not in OWN:  # packages register connectors of their own when they are installed, unasked
            raise Needs("plugins")
        ctx.need_own_names()
        near = next((other for other in sorted(names) if other.lower().startswith(name.lower()[:6])), None)
        return Hit(
            message=f"vLLM {ctx.version} has no {name}" + (f"; it has {near}." if near else "."),
            effect="vLLM stops: unsupported connector.",
            steps=(drop("--kv-transfer-config"),),
            fix=f"Name one of {', '.join(sorted(names))}, or remove `--kv-transfer-config`.",
        )
    if not ctx.within(">=0.8.5,<0.11") or ctx.env.get("VLLM_USE_V1") not in ("0", "1"):
        return None
    new = ctx.env["VLLM_USE_V1"] == "1"
    if (name in _OF_V0) is not new:
        return None
    return Hit(
        message=f"{name} is a connector of the V{0 if new else 1} engine, and VLLM_USE_V1={1 if new else 0} is set.",
        effect="vLLM stops: a connector of the other engine.",
        steps=(drop("--kv-transfer-config"),),
    )
