"""Accelerators a manifest asks for: device counts of a container, the model a node selector names, cloud machine
types."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..lazy import Lazy

__all__ = ["accelerator_of", "devices_of", "machine"]

_DEVICE_KEYS = Lazy(
    r"(?:nvidia\.com/gpu(?:\.shared)?|amd\.com/gpu|google\.com/tpu|habana\.ai/gaudi|gpu\.intel\.com/\w+|huawei\.com/\w+|"
    r"aws\.amazon\.com/neuron\w*)"
)
_SELECTORS = (
    "nvidia.com/gpu.product", "cloud.google.com/gke-accelerator", "cloud.google.com/gke-tpu-accelerator",
    "karpenter.k8s.aws/instance-gpu-name", "amd.com/gpu.product-name", "gpu.nvidia.com/class", "gpu.nvidia.com/model",
    "node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type", "karpenter.sh/instance-type",
    "accelerator_type", "k8s.amazonaws.com/accelerator", "accelerator", "gpu-type", "gpu_type", "gpuType",
    "acceleratorType",
)  # fmt: skip
_MAX_NODES = 50_000

# Machine types whose accelerators the vendor states (the machine type pages of AWS, Google Cloud and Azure).
_MACHINES: tuple[tuple[str, str, int | None], ...] = (
    (r"p6-b200\.48xlarge", "B200", 8), (r"p5en?\.48xlarge", "H200", 8), (r"p5\.48xlarge", "H100", 8),
    (r"p5\.4xlarge", "H100", 1), (r"p4de\.24xlarge", "A100 80GB SXM", 8), (r"p4d\.24xlarge", "A100 40GB SXM", 8),
    (r"g6e\.48xlarge", "L40S", 8), (r"g6e\.(?:12|24)xlarge", "L40S", 4), (r"g6e\.(?:|2|4|8|16)xlarge", "L40S", 1),
    (r"g6\.48xlarge", "L4", 8), (r"g6\.(?:12|24)xlarge", "L4", 4), (r"g6\.(?:|2|4|8|16)xlarge", "L4", 1),
    (r"g5\.48xlarge", "A10G", 8), (r"g5\.(?:12|24)xlarge", "A10G", 4), (r"g5\.(?:|2|4|8|16)xlarge", "A10G", 1),
    (r"g4dn\.metal", "T4", 8), (r"g4dn\.12xlarge", "T4", 4), (r"g4dn\.(?:|2|4|8|16)xlarge", "T4", 1),
    (r"a4-highgpu-8g", "B200", 8), (r"a3-ultragpu-8g", "H200", 8), (r"a3-megagpu-8g", "H100", 8),
    (r"a3-highgpu-([1248])g", "H100", None),
    (r"a2-ultragpu-([1248])g", "A100 80GB SXM", None), (r"a2-highgpu-([1248])g", "A100 40GB SXM", None),
    (r"a2-megagpu-16g", "A100 40GB SXM", 16), (r"g2-standard-(?:4|8|12|16|32)", "L4", 1), (r"g2-standard-24", "L4", 2),
    (r"g2-standard-48", "L4", 4), (r"g2-standard-96", "L4", 8),
    (r"standard_nd96i?s?r?_h100_v5", "H100", 8), (r"standard_nd96i?s?r?_h200_v5", "H200", 8),
    (r"standard_nd96amsr_a100_v4", "A100 80GB SXM", 8), (r"standard_nd96asr_v4", "A100 40GB SXM", 8),
    (r"standard_nc24ads_a100_v4", "A100 80GB PCIe", 1), (r"standard_nc48ads_a100_v4", "A100 80GB PCIe", 2),
    (r"standard_nc96ads_a100_v4", "A100 80GB PCIe", 4), (r"standard_nc40ads_h100_v5", "H100 NVL", 1),
    (r"standard_nc80adis_h100_v5", "H100 NVL", 2),
    (r"tpu-v5-lite-(?:podslice|device)", "TPU v5e", None), (r"tpu-v5p-slice", "TPU v5p", None),
    (r"tpu-v6e-(?:slice|device)", "TPU v6e", None),
)  # fmt: skip


def machine(name: str) -> tuple[str, int | None] | None:
    """The accelerator behind a cloud machine type and, where the type says it, its count; None for another name."""
    text = name.strip().lower()
    for pattern, gpu, count in _MACHINES:
        if match := re.fullmatch(pattern, text):
            return gpu, count if count is not None or not match.groups() else int(match[1])
    return None


def devices_of(container: Mapping[str, Any]) -> int | None:
    """Devices one container asks for: Kubernetes resources, or compose reservations."""
    resources = container.get("resources")
    if isinstance(resources, Mapping):
        for part in ("limits", "requests"):
            wanted = resources.get(part)
            if isinstance(wanted, Mapping):
                for key, value in wanted.items():
                    if _DEVICE_KEYS.fullmatch(str(key).strip()) and str(value).strip().isdigit():
                        return int(str(value))
    beside = container.get("x-cut")  # a container cut out of its file: the count stands beside it
    for key, value in [*container.items(), *(beside.items() if isinstance(beside, Mapping) else ())]:
        if _DEVICE_KEYS.fullmatch(str(key).strip()) and str(value).strip().isdigit():
            return int(str(value))
    return _compose_devices(container)


def _compose_devices(container: Mapping[str, Any]) -> int | None:
    node: Any = container
    for key in ("deploy", "resources", "reservations", "devices"):
        node = node.get(key) if isinstance(node, Mapping) else None
    if isinstance(node, list):
        for device in node:
            if isinstance(device, Mapping):
                ids = device.get("device_ids")
                if isinstance(ids, list):
                    return len(ids)
                if str(device.get("count", "")).isdigit():
                    return int(device["count"])
    return None


def accelerator_of(root: Any) -> tuple[str | None, str]:
    """The accelerator the document selects its nodes by, and where it says so."""
    for key, value in _pairs(root):
        if key in _SELECTORS and value:
            found = machine(value)
            return (found[0] if found else value), f"{key}: {value}"
    return None, ""


def _pairs(root: Any) -> Iterator[tuple[str, str]]:
    """Every ``key: text`` of the tree, node affinities (``key``, ``values``) included."""
    stack, seen, count = [root], set(), 0
    while stack and count < _MAX_NODES:
        node = stack.pop()
        count += 1
        if isinstance(node, dict | list):
            if id(node) in seen:
                continue
            seen.add(id(node))
        if isinstance(node, dict):
            values = node.get("values") or node.get("labelValues")
            name = node.get("key") or node.get("labelKey")
            if isinstance(name, str) and isinstance(values, list) and len(values) == 1 and isinstance(values[0], str):
                yield name, values[0]
            for key, value in node.items():
                if isinstance(value, str):
                    yield str(key), value
                else:
                    stack.append(value)
        elif isinstance(node, list):
            stack.extend(reversed(node))
