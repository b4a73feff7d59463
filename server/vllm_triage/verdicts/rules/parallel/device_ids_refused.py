"""A device id that is neither a number nor a UUID.

## What happens
The engine refuses to start.

## Why
CUDA and ROCm name a GPU by its number; CUDA also by the UUID that NVML knows.

## Versions
>=0.24

## Evidence
- vllm/platforms/interface.py, Platform.device_control_id_to_physical_device_id (0.24.0 line 270, 0.33.0 line 273);
  vllm/platforms/cuda.py, NvmlCudaPlatform.device_control_id_to_physical_device_id (0.33.0 line 754)
- create_engine_config of 0.31.0 to 0.33.0 on `x`

## Fix
Name GPUs by number.
"""

from ...context import Context
from ...rule import Hit, drop, rule


@rule("fatal", flags=("--device-ids",), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("device_ids")
    if not isinstance(asked, list) or not asked:
        return None
    vendor = ctx.need_gpu().vendor
    uuids = ("GPU-", "MIG-") if vendor == "nvidia" else ()
    odd = [str(one) for one in asked if not str(one).strip().isdecimal() and not str(one).startswith(uuids)]
    if not odd or vendor not in ("nvidia", "amd"):
        return None
    return Hit(
        message=f"--device-ids holds {', '.join(odd)}.",
        effect="vLLM stops before loading: a device id must be a number here.",
        steps=(drop("--device-ids"),),
    )
