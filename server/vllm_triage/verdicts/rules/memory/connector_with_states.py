"""A KV connector without the hybrid manager, on a model with recurrent states.

## What happens
The engine stops before it allocates its cache: the caches of attention and of states cannot be made one type.

## Why
A connector that does not say it supports the hybrid KV cache manager switches it off; until 0.21 every connector did,
unless the manager was asked for by name. Windows can then be kept whole, states cannot.

## Versions
>=0.11

## Evidence
- vllm/v1/core/kv_cache_utils.py, unify_hybrid_kv_cache_specs (0.9.1 line 920 to 0.26.0 line 1519; 0.27.0 line 1529);
  vllm/config/vllm.py, VllmConfig.__post_init__ (0.18.0 line 1168, 0.33.0 line 2266)
- https://github.com/vllm-project/vllm/issues/49537, https://github.com/vllm-project/vllm/issues/42911,
  https://github.com/ai-dynamo/dynamo/issues/10741

## Fix
Use a connector that supports the manager (OffloadingConnector; NixlConnector from 0.22), and up to 0.21 add
--no-disable-hybrid-kv-cache-manager.
"""

from ....domain import FixStep
from ...context import Context, Needs
from ...rule import Hit, drop, put, rule
from .connector_without_hybrid import HYBRID
from .kv_connector_unknown import OWN

_FLAG, _MANAGER = "--kv-transfer-config", "--disable-hybrid-kv-cache-manager"


@rule("fatal", flags=(_FLAG, _MANAGER), needs=("model", "plugins"))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("kv_transfer_config")
    name = config.get("kv_connector")
    if not isinstance(name, str) or ctx.given("disable_hybrid_kv_cache_manager"):
        return None  # told by the rules about the flag
    if ctx.at_least(0, 22) and name in HYBRID:
        return None
    model = ctx.need_model()
    if not model.is_hybrid:
        return None
    if ctx.at_least(0, 22) and (name not in OWN or config.get("kv_connector_module_path")):
        raise Needs("plugins")
    ways: tuple[FixStep, ...] = (drop(_FLAG),)
    if ctx.within(">=0.12,<0.22") and name == "OffloadingConnector":
        ways = (put(_MANAGER, False),)
    return Hit(
        message=f"{name} switches the hybrid KV cache manager off, and {model.id} keeps recurrent states beside its attention.",
        effect="vLLM stops: the caches cannot be converted to one type.",
        steps=ways,
        fix="Use a connector that supports the hybrid manager"
        + (" and add `--no-disable-hybrid-kv-cache-manager`" if not ctx.at_least(0, 22) else "")
        + ", or take `--kv-transfer-config` out.",
    )
