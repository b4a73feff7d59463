"""The checkpoint's own quantization, from ``quantization_config``."""

from collections.abc import Mapping
from typing import Any

from ...domain import Quantization
from .view import ConfigView

__all__ = ["read_quantization"]

BITS = {"fp8": 8, "mxfp4": 4.25, "nvfp4": 4.5, "awq": 4, "gptq": 4, "modelopt": 8, "modelopt_fp4": 4.5, "bitsandbytes": 4.5,
        "fbgemm_fp8": 8, "ptpc_fp8": 8, "w8a8_fp8": 8, "w8a8_int8": 8, "experts_int8": 8, "int8": 8}  # fmt: skip
"""Bits per quantized weight, scales of the 4-bit block formats included."""


def read_quantization(view: ConfigView) -> Quantization | None:
    """Method, bits per weight and KV scheme; None for an unquantized checkpoint."""
    raw = view.whole.get("quantization_config") or view.text.get("quantization_config") or view.whole.get("compression_config")
    if not isinstance(raw, Mapping):
        return None
    method = str(raw.get("quant_method") or "").lower().replace("compressed_tensors", "compressed-tensors")
    algorithm = str(raw.get("quant_algo") or _nested(raw, "quantization", "quant_algo") or "").upper()
    if algorithm == "NVFP4":
        method = "modelopt_fp4"
    elif not method and algorithm:
        method = "modelopt"
    return Quantization(method=method or "unknown", weight_bits=_bits(raw, method), kv_cache=_kv_scheme(raw))


def _bits(raw: Mapping[str, Any], method: str) -> float | None:
    """Bits per quantized weight, group scales included where the group size is known."""
    bits = raw.get("bits") or raw.get("w_bit") or raw.get("num_bits")
    groups = raw.get("config_groups")
    group_size = raw.get("group_size") or raw.get("q_group_size")
    if bits is None and isinstance(groups, Mapping):
        for group in groups.values():
            weights = group.get("weights") if isinstance(group, Mapping) else None
            if isinstance(weights, Mapping) and weights.get("num_bits"):
                bits, group_size = weights["num_bits"], weights.get("group_size") or group_size
                break
    if method == "bitsandbytes" and raw.get("load_in_8bit"):
        bits = 8
    if isinstance(bits, int | float) and not isinstance(bits, bool):
        scale = 16 / group_size if isinstance(group_size, int) and group_size > 0 and bits < 8 else 0.0
        return float(bits) + scale
    return BITS.get(method)


def _kv_scheme(raw: Mapping[str, Any]) -> str | None:
    """``fp8`` when the checkpoint carries an fp8 KV scheme."""
    algorithm = raw.get("kv_cache_quant_algo") or _nested(raw, "quantization", "kv_cache_quant_algo")
    if algorithm:
        return str(algorithm).lower()
    scheme = raw.get("kv_cache_scheme")
    if isinstance(scheme, Mapping) and scheme.get("num_bits") == 8:
        return "fp8" if scheme.get("type", "float") == "float" else "int8"
    return None


def _nested(raw: Mapping[str, Any], outer: str, inner: str) -> Any:
    """``raw[outer][inner]`` or None."""
    found = raw.get(outer)
    return found.get(inner) if isinstance(found, Mapping) else None
