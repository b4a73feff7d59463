"""A device newer than the kernels a release was published with.

## What happens
The start stops at the first kernel: no kernel image is available for execution on the device.

## Why
Wheels and images hold machine code for the devices of their day. Blackwell needs CUDA 12.8, which vLLM is built with from
0.9; for its consumer and workstation cards (12.x) the published builds of 0.9 hold none either. A build of one's own may.

## Versions
<0.10

## Evidence
- METADATA of the wheels: torch 2.6.0 (CUDA 12.4) in 0.8.5, torch 2.7.0 in 0.9.0
- https://github.com/vllm-project/vllm/issues/16901 (0.8, RTX 5090), https://github.com/vllm-project/vllm/pull/19747 and
  https://github.com/vllm-project/vllm/issues/20748 (12.0 missing from the builds of 0.9.1 and 0.9.2)

## Fix
Upgrade: to 0.9 for compute capability 10.x, to 0.10 for 12.x.
"""

from ...context import Context
from ...rule import Hit, rule

BUILT_FROM: tuple[tuple[int, tuple[int, int], str], ...] = ((12, (0, 10), "0.10"), (10, (0, 9), "0.9"))
"""Least major compute capability -> the release whose published builds hold kernels for it; newest devices first."""


@rule("degraded", flags=(), needs=("gpu",), starts=False)
def check(ctx: Context) -> Hit | None:
    have = ctx.need_capability()
    if have is None:
        return None
    for major, release, name in BUILT_FROM:
        if have[0] >= major and ctx.release < release:
            return Hit(
                message=f"The published builds of vLLM {ctx.version} hold no kernels for {ctx.need_gpu().name}, compute "
                f"capability {have[0]}.{have[1]}.",
                effect="The worker stops: no kernel image is available for execution on the device.",
                fix=f"Upgrade to vLLM {name} or newer, or build vLLM for this device yourself.",
            )
    return None
