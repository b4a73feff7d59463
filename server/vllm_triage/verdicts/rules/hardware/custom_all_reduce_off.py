"""Tensor parallelism over PCIe.

## What happens
The engine starts; with more than two ranks the custom all-reduce is switched off with a warning.

## Why
Two collectives per layer cross the link in every step. The custom kernel needs peer access between all pairs, and
vLLM uses it for more than two GPUs only when NVLink joins them.

## Versions
>=0.6.6

## Evidence
- vllm/distributed/device_communicators/custom_all_reduce.py, CustomAllreduce.__init__ (0.18.0: not supported on more
  than two PCIe-only GPUs)

## Fix
Use fewer tensor-parallel ranks and more replicas or pipeline stages where the model fits.
"""

from ...context import Context
from ...rule import Hit, put, rule


@rule("degraded", flags=("--tensor-parallel-size",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    if ctx.tp <= 2 or ctx.arg("disable_custom_all_reduce") is True:
        return None
    gpu = ctx.need_gpu()
    if gpu.vendor != "nvidia" or gpu.interconnect != "pcie":
        return None
    return Hit(
        message=f"Tensor parallel size {ctx.tp} on {gpu.name}, which has no NVLink.",
        effect="NCCL over PCIe carries two collectives per layer; decode steps and TTFT grow with the number of ranks.",
        steps=(put("--disable-custom-all-reduce", True),),
        fix="Lower `--tensor-parallel-size` to what the model needs and add replicas or pipeline stages; "
        "`--disable-custom-all-reduce` only silences the warning.",
        changed=(("disable_custom_all_reduce", False, True),),
    )
