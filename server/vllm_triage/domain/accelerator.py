"""One accelerator as vLLM and the roofline see it."""

from typing import Literal

from .base import Noun, Words

__all__ = ["Accelerator"]


class Accelerator(Noun):
    """A device model. Rates are dense, per device; memory is what the driver shows, not what marketing prints.

    A field is None where the figure is not known: nothing is filled in from a similar device.
    """

    name: str
    """Catalogue name, such as ``H100-SXM``."""
    vendor: Literal["nvidia", "amd", "intel", "google", "huawei", "cpu", "other"]
    arch: str
    device_name: str | None = None
    """The name the driver reports, such as ``NVIDIA H100 80GB HBM3``, where a source shows it: vLLM tests names."""
    compute_capability: str | None = None
    """NVIDIA compute capability such as ``9.0``; None elsewhere."""
    memory_mib: int | None = None
    """Total device memory in MiB as the driver reports it."""
    torch_total_gib: float | None = None
    """Total device memory in GiB as torch reports it (what vLLM multiplies by the utilisation), where known."""
    bandwidth_gb_s: float | None = None
    """Peak memory bandwidth, 1e9 bytes per second."""
    bf16_tflops: float | None = None
    fp16_tflops: float | None = None
    """The rate where a device has no BF16 (T4, V100)."""
    fp8_tflops: float | None = None
    fp4_tflops: float | None = None
    int8_tops: float | None = None
    interconnect: Literal["nvlink", "infinity_fabric", "pcie", "unified", "ici", "ethernet"] | None = None
    interconnect_gb_s: float | None = None
    """Scale-up bandwidth per device, one direction, 1e9 bytes per second."""
    unified_memory: bool = False
    sources: Words = ()
    unverified: Words = ()
    """Names of the fields whose value was not confirmed in a second source."""
