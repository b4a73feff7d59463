"""The precisions a model can be served in: as it is, FP8, four bits. What is not at hand is a named assumption."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...domain import Accelerator, Deployment, Json, ModelShape
from ...facts import models
from ...facts.quantization import methods
from ...facts.versions import at_least

__all__ = ["Variant", "loads_whole_first", "variants_of"]

FOUR_BITS = 4.6
"""Bits per weight, scales included, up to which a checkpoint counts as one of four bits."""

CONFIGS: dict[str, dict[str, Json]] = {
    "FP8": {"quant_method": "fp8"},
    "AWQ": {"quant_method": "awq", "bits": 4, "group_size": 128},
    "NVFP4": {"quant_method": "modelopt", "quant_algo": "NVFP4"},
}
"""``quantization_config`` of a checkpoint of each kind."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One precision of the weights."""

    name: str
    """Such as ``BF16``, ``FP8 on load``, ``AWQ``."""
    model: str
    """What is served: a hub id, or a folder."""
    config: Mapping[str, Json] | None = None
    """Its config.json, where the user gave one."""
    args: dict[str, Json] = field(default_factory=dict)
    altered: int = 0
    """How far the numbers are from the checkpoint as it is: 0 not at all, 1 eight bits, 3 four bits."""
    assumed: str = ""
    """The checkpoint that has to be there, in words."""


def variants_of(base: Deployment, gpu: Accelerator, config: Mapping[str, Json] | None) -> tuple[Variant, ...]:
    """The precisions worth trying on one device, the checkpoint as it is first."""
    model, name = base.model, base.model_id or "model"
    if model is None:
        return ()
    own = Variant(_precision(base, model), name, config)
    if base.args.get("quantization") is not None or _bits(model) <= FOUR_BITS:
        return (own,)
    found = [own]
    if model.quantization is None and model.dtype_bytes == 2:
        found += _eight_bits(base, gpu, name, config)
    found += _four_bits(base, gpu, name, config)
    return tuple(found)


def loads_whole_first(version: str) -> bool:
    """True where quantizing on load holds the 16-bit weights in memory first.

    From 0.16 a layer is created on the meta device and quantized as soon as it is complete
    (vllm/model_executor/layers/quantization/fp8.py, Fp8OnlineLinearMethod.create_weights; not in 0.15.1).
    """
    return not at_least(version, "0.16.0")


def _eight_bits(base: Deployment, gpu: Accelerator, name: str, config: Mapping[str, Json] | None) -> list[Variant]:
    """A published FP8 checkpoint, else ``--quantization fp8``, where device and release have the kernels."""
    if not _runs("fp8", base.version, gpu):
        return []
    there = _published(name, "FP8")
    if there is not None:
        assumed = f"serves {there}, the published FP8 checkpoint, in place of {name}"
        return [Variant("FP8 checkpoint", there, _quantized(config, "FP8"), altered=1, assumed=assumed)]
    return [Variant("FP8 on load", name, config, {"quantization": "fp8"}, altered=1)]


def _four_bits(base: Deployment, gpu: Accelerator, name: str, config: Mapping[str, Json] | None) -> list[Variant]:
    """A checkpoint of four bits: NVFP4 where the device multiplies it, else AWQ."""
    kind, method = ("NVFP4", "modelopt_fp4") if gpu.fp4_tflops and gpu.vendor == "nvidia" else ("AWQ", "awq")
    if gpu.vendor != "nvidia" or not _runs(method, base.version, gpu):
        return []
    there = _published(name, kind)
    plain = name.rstrip("/").rpartition("/")[2].removesuffix("-FP8")
    assumed = (
        f"serves {there}, the published {kind} checkpoint, in place of {name}"
        if there
        else f"needs an {kind} (4-bit) checkpoint of {name}, found or made by you, in ./{plain}-{kind}"
    )
    return [Variant(kind, there or f"./{plain}-{kind}", _quantized(config, kind), altered=3, assumed=assumed)]


def _runs(method: str, version: str, gpu: Accelerator) -> bool:
    """True when the release has the method and the device is new enough for it."""
    known = methods(version).get(method)
    if known is None or known.deprecated:
        return False
    if gpu.vendor != "nvidia" or gpu.compute_capability is None:
        return gpu.fp8_tflops is not None and gpu.vendor == "amd"
    major, minor = gpu.compute_capability.split(".")
    return int(major) * 10 + int(minor) >= (known.capability or 0)


def _published(name: str, kind: str) -> str | None:
    """The catalogue's checkpoint of that kind with the same base name."""
    plain = name.rpartition("/")[2].lower()
    wanted = {f"{plain}-{kind}".lower(), f"{plain.removesuffix('-fp8')}-{kind}".lower()}
    return next((known for known in models.ids() if known.rpartition("/")[2].lower() in wanted), None)


def _quantized(config: Mapping[str, Json] | None, kind: str) -> dict[str, Json] | None:
    return None if config is None else {**config, "quantization_config": CONFIGS[kind]}


def _bits(model: ModelShape) -> float:
    stored = model.quantization
    return model.dtype_bytes * 8 if stored is None or stored.weight_bits is None else stored.weight_bits


def _precision(base: Deployment, model: ModelShape) -> str:
    """The weights' format in a word."""
    asked = base.args.get("quantization")
    if isinstance(asked, str):
        return f"{asked.upper()} on load" if model.quantization is None else asked.upper()
    if model.quantization is not None:
        return model.quantization.method.upper()
    return {"float16": "FP16", "float32": "FP32"}.get(str(base.setting("dtype")), "BF16")
