"""Prefix caching or chunked prefill asked for with latent attention, which had neither at first.

## What happens
The engine starts with both off and says so in its log.

## Why
The first kernels for latent attention (MLA) read no context that an earlier step left.

## Versions
>=0.7.1,<0.8

## Evidence
- vllm/config.py, VllmConfig.__post_init__ (0.7.1, 0.7.3 line 3328)
- https://github.com/vllm-project/vllm/issues/13822

## Fix
Upgrade to 0.8, or set VLLM_MLA_DISABLE=1 where caching is worth more than latent attention.
"""

from ...context import Context
from ...rule import Hit, drop, rule

ASKED = {"enable_prefix_caching": "--enable-prefix-caching", "enable_chunked_prefill": "--enable-chunked-prefill"}


@rule("silent", flags=tuple(ASKED.values()), needs=("model",))
def check(ctx: Context) -> Hit | None:
    asked = {dest: flag for dest, flag in ASKED.items() if ctx.arg(dest) in (True, "True", "true")}
    if not asked or ctx.env.get("VLLM_MLA_DISABLE", "0") not in ("0", "") or not ctx.need_model().uses_mla:
        return None
    return Hit(
        message=f"{' and '.join(asked.values())} given for {ctx.need_model().id}, whose latent attention vLLM {ctx.version} serves "
        "without.",
        effect="Every prompt is computed whole, in one step.",
        flags=tuple(asked.values()),
        steps=tuple(map(drop, asked.values())),
        changed=tuple((dest, True, False) for dest in asked),
    )
