"""Devices named in ways that contradict each other.

## What happens
The engine refuses to start.

## Why
--device-ids counts within CUDA_VISIBLE_DEVICES, by number or by name but not both. On ROCm HIP_VISIBLE_DEVICES and
CUDA_VISIBLE_DEVICES must agree where both are set.

## Versions
>=0.17

## Evidence
- vllm/engine/arg_utils.py, EngineArgs._resolve_device_ids (0.24.0, 0.28.0 lines 1881 to 1904, 0.33.0 line 2158);
  vllm/platforms/rocm.py, the check of the two variables (0.17.0, 0.28.0 line 143, 0.33.0)

## Fix
Name the devices once.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, drop_env, rule


@rule("fatal", flags=("--device-ids",), needs=("gpu",))
def check(ctx: Context) -> Iterator[Hit]:
    ids = _ids(ctx)
    numbers = [int(one) for one in ids if one.isdigit()]
    if ids and numbers and len(numbers) < len(ids):
        yield Hit(
            message=f"--device-ids {','.join(ids)[:60]} mixes numbers and names.", effect="vLLM stops before loading.",
            flags=("--device-ids",), steps=(drop("--device-ids"),),
        )  # fmt: skip
    visible = [one for one in ctx.env.get("CUDA_VISIBLE_DEVICES", "").split(",") if one]
    if visible and numbers and max(numbers) >= len(visible):
        yield Hit(
            message=f"--device-ids names device {max(numbers)} of the {len(visible)} in CUDA_VISIBLE_DEVICES, counted from 0.",
            effect="vLLM stops before loading.", flags=("--device-ids",), steps=(drop("--device-ids"),),
        )  # fmt: skip
    hip, cuda = ctx.env.get("HIP_VISIBLE_DEVICES"), ctx.env.get("CUDA_VISIBLE_DEVICES")
    if hip and cuda and hip != cuda and ctx.need_gpu().vendor == "amd":
        yield Hit(
            message=f"HIP_VISIBLE_DEVICES={hip[:40]} and CUDA_VISIBLE_DEVICES={cuda[:40]} differ.", flags=(),
            effect="vLLM stops before loading.", steps=(drop_env("CUDA_VISIBLE_DEVICES"),),
        )  # fmt: skip


def _ids(ctx: Context) -> list[str]:
    held = ctx.arg("device_ids")
    listed = held if isinstance(held, list) else str(held).split(",") if held is not None else []
    return [part for one in listed for part in str(one).split(",") if part]
