"""A catalogue row as the noun that travels."""

from functools import cache

from ..domain import Accelerator
from ..facts.gpus import GpuFacts

__all__ = ["accelerator"]

INTERCONNECTS = ("nvlink", "infinity_fabric", "pcie", "unified", "ici", "ethernet")


@cache
def accelerator(gpu: GpuFacts) -> Accelerator:
    """The noun for one device of the catalogue."""
    return Accelerator.model_validate({
        "name": gpu.name, "vendor": gpu.vendor, "arch": gpu.arch, "device_name": gpu.device_name,
        "compute_capability": gpu.compute_capability, "memory_mib": gpu.memory_mib,
        "torch_total_gib": gpu.torch_total_gib,
        "bandwidth_gb_s": _real(gpu.bandwidth_gb_s), "bf16_tflops": _real(gpu.bf16_tflops),
        "fp16_tflops": _real(gpu.fp16_tflops), "fp8_tflops": _real(gpu.fp8_tflops), "fp4_tflops": _real(gpu.fp4_tflops),
        "int8_tops": _real(gpu.int8_tops), "interconnect": gpu.interconnect,
        "interconnect_gb_s": _real(gpu.interconnect_gb_s), "unified_memory": gpu.unified_memory,
        "sources": gpu.sources, "unverified": gpu.unverified,
    })  # fmt: skip


def _real(value: float | None) -> float | None:
    return None if value is None else float(value)
