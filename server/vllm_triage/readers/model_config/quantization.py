"""The checkpoint's own quantization: method, bits, and which weights it reaches."""

from collections.abc import Iterable, Mapping
from typing import Any

from ...domain import Quantization, WeightRole
from .view import ConfigView, as_int

__all__ = ["read_quantization"]

BITS = {
    "fp8": 8.0,
    "mxfp4": 4.25,
    "nvfp4": 4.5,
    "awq": 4.0,
    "gptq": 4.0,
    "modelopt": 8.0,
    "modelopt_fp4": 4.5,
    "bitsandbytes": 4.5,
    "fbgemm_fp8": 8.0,
    "ptpc_fp8": 8.0,
    "w8a8_fp8": 8.0,
    "w8a8_int8": 8.0,
    "experts_int8": 8.0,
    "int8": 8.0,
    "mxfp8": 8.25,
    "modelopt_mxfp8": 8.25,
    "auto-round": 4.0,
    "autoround": 4.0,
    "gguf": 4.5,
}
"""Bits per quantized weight; the block scales of the 4-bit float formats are counted in."""

ALGORITHMS = {
    "FP8": 8.0,
    "NVFP4": 4.5,
    "W4A16_NVFP4": 4.5,
    "NVFP4_AWQ": 4.5,
    "MXFP4": 4.25,
    "MXFP8": 8.25,
    "W4A16_AWQ": 4.25,
    "W4A8_AWQ": 4.25,
    "INT8": 8.0,
    "W8A16": 8.0,
}
"""Bits by ModelOpt algorithm name."""

LINEAR: tuple[WeightRole, ...] = ("attention", "kv", "latent", "mlp", "expert", "shared_expert", "state")
"""Roles a quantization of linear layers reaches; embeddings, heads, routers, norms and towers keep their type."""

EXPERTS_ONLY = frozenset({"mxfp4", "experts_int8", "moe_wna16"})
"""Methods that quantize routed experts and nothing else."""


def read_quantization(view: ConfigView) -> Quantization | None:
    """Method, bits and reach; None for an unquantized checkpoint."""
    raw = (
        view.whole.get("quantization_config")
        or view.text.get("quantization_config")
        or view.whole.get("compression_config")
    )
    if not isinstance(raw, Mapping):
        return None
    method = method_of(raw)
    bits = bits_of(raw, method)
    reached = reach(raw, method, bits)
    if view.get("expert_dtype") == "fp4" and method == "fp8":
        reached["expert"] = BITS["mxfp4"]  # DeepSeek-V4: experts in 4 bits, the rest in 8
    return Quantization(
        method=method, weight_bits=bits, by_role=tuple(reached.items()), kv_cache=kv_scheme(raw),
        block=block_of(raw), group=group_of(raw),
    )  # fmt: skip


def weights_of(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a compressed-tensors checkpoint says of the weights of its first group; empty elsewhere."""
    groups = raw.get("config_groups")
    first = next(iter(groups.values()), None) if isinstance(groups, Mapping) else None
    weights = first.get("weights") if isinstance(first, Mapping) else None
    return weights if isinstance(weights, Mapping) else {}


def block_of(raw: Mapping[str, Any]) -> tuple[int, int] | None:
    """Outputs and inputs that share a scale."""
    told = raw.get("weight_block_size") or weights_of(raw).get("block_structure")
    sizes = [as_int(one) for one in told] if isinstance(told, list | tuple) else []
    return (sizes[0], sizes[1]) if len(sizes) == 2 and sizes[0] and sizes[1] else None


def group_of(raw: Mapping[str, Any]) -> int | None:
    """Inputs that share a scale; None where a whole row does (-1) or none is told."""
    size = as_int(raw.get("group_size") or raw.get("q_group_size") or weights_of(raw).get("group_size"))
    return size if size and size > 0 else None


def method_of(raw: Mapping[str, Any]) -> str:
    """The method by vLLM's name for it."""
    method = str(raw.get("quant_method") or "").lower().replace("compressed_tensors", "compressed-tensors")
    algorithm = algorithm_of(raw)
    if algorithm == "NVFP4" and method in ("", "modelopt"):
        return "modelopt_fp4"
    if algorithm == "MXFP8" and method in ("", "modelopt"):
        return "modelopt_mxfp8"
    return method or ("modelopt" if algorithm else "unknown")


def algorithm_of(raw: Mapping[str, Any]) -> str:
    """ModelOpt's algorithm, upper case; empty when there is none."""
    return str(raw.get("quant_algo") or nested(raw, "quantization", "quant_algo") or "").upper()


def bits_of(raw: Mapping[str, Any], method: str) -> float | None:
    """Bits per quantized weight, group scales included where the group size is known."""
    bits = raw.get("bits") or raw.get("w_bit") or raw.get("num_bits")
    if method == "bitsandbytes" and raw.get("load_in_8bit"):
        bits = 8
    if bits is None:
        groups = raw.get("config_groups")
        if isinstance(groups, Mapping):
            found = [width for group in groups.values() if (width := group_bits(group)) is not None]
            if found:
                return min(found)
        return ALGORITHMS.get(algorithm_of(raw)) or BITS.get(method)
    return scaled(bits, raw.get("group_size") or raw.get("q_group_size"), "int")


def group_bits(group: object) -> float | None:
    """Bits of one compressed-tensors group."""
    weights = group.get("weights") if isinstance(group, Mapping) else None
    if not isinstance(weights, Mapping):
        return None
    return scaled(weights.get("num_bits"), weights.get("group_size"), str(weights.get("type") or "int"))


def scaled(bits: object, group_size: object, kind: str) -> float | None:
    """`bits` and its share of a group's scale: 16 bits for integer groups, 8 for NVFP4."""
    if isinstance(bits, bool) or not isinstance(bits, int | float):
        return None
    size = as_int(group_size)
    scale = 8.0 if kind == "float" else 16.0
    return float(bits) + (scale / size if size and size > 0 and bits < 8 else 0.0)


def reach(raw: Mapping[str, Any], method: str, bits: float | None) -> dict[WeightRole, float]:
    """Bits of every role that is quantized."""
    if bits is None:
        return {}
    if method in EXPERTS_ONLY:
        return {"expert": bits}
    reached: dict[WeightRole, float] = {}
    layers = raw.get("quantized_layers")
    if isinstance(layers, Mapping) and layers:
        for name, how in layers.items():
            width = ALGORITHMS.get(str(how.get("quant_algo") if isinstance(how, Mapping) else how).upper())
            if width is not None:
                reached.update(dict.fromkeys(roles_of(str(name)), width))
        return reached
    groups = raw.get("config_groups")
    if isinstance(groups, Mapping) and groups:
        for group in groups.values():
            width = group_bits(group) or bits
            targets = group.get("targets") if isinstance(group, Mapping) else None
            reached.update(dict.fromkeys(roles_of_all(targets), width))
    else:
        reached.update(dict.fromkeys(LINEAR, bits))
    for name in excluded(raw):
        for role in roles_of(name):
            reached.pop(role, None)
    return reached


def roles_of_all(targets: object) -> Iterable[WeightRole]:
    """Roles of a group's targets; all linear roles for ``Linear`` or where none are named."""
    if not isinstance(targets, list) or not targets or "Linear" in targets:
        return LINEAR
    return [role for target in targets for role in roles_of(str(target))]


def excluded(raw: Mapping[str, Any]) -> list[str]:
    """Modules that keep their type in most layers; a name that holds for a few layers only is left out."""
    names: dict[str, set[str]] = {}
    for key in ("ignore", "exclude_modules", "modules_to_not_convert"):
        listed = raw.get(key)
        if isinstance(listed, list):
            for name in listed:
                pattern, layer = without_numbers(str(name))
                names.setdefault(pattern, set()).add(layer)
    most = max((len(layers) for layers in names.values()), default=0)
    return [pattern for pattern, layers in names.items() if layers & {"", "*"} or len(layers) * 2 >= most > 2]


def without_numbers(name: str) -> tuple[str, str]:
    """A module name with its numbers replaced by ``*``, and the first of them: its layer."""
    parts = name.split(".")
    numbers = [part for part in parts if part.rstrip("*").isdigit()]
    return ".".join("*" if part.rstrip("*").isdigit() else part for part in parts), numbers[0] if numbers else ""


def roles_of(name: str) -> tuple[WeightRole, ...]:
    """Roles a module name or pattern stands for; norms, gates, heads and towers stand for none."""
    low = name.lower()
    if any(
        word in low
        for word in ("norm", "router", "lm_head", "embed", "vision", "visual", "projector", "mtp", "indexer", "bias")
    ):
        return ()
    if low.endswith((".gate", "gate.*", "expert_gate")):
        return ()
    if "shared_expert" in low:
        return ("shared_expert",)
    if "expert" in low:
        return ("expert",)
    if "linear_attn" in low or "mixer" in low or "mamba" in low:
        return ("state",)
    if "attn" in low or "attention" in low:
        return ("attention", "kv", "latent")
    if "mlp" in low or "ffn" in low or "feed_forward" in low:
        return ("mlp",)
    return ()


def kv_scheme(raw: Mapping[str, Any]) -> str | None:
    """``fp8`` when the checkpoint carries an fp8 KV scheme."""
    algorithm = raw.get("kv_cache_quant_algo") or nested(raw, "quantization", "kv_cache_quant_algo")
    if algorithm:
        return str(algorithm).lower()
    scheme = raw.get("kv_cache_scheme")
    if isinstance(scheme, str):
        return scheme.lower()
    if isinstance(scheme, Mapping) and scheme.get("num_bits") == 8:
        return "fp8" if scheme.get("type", "float") == "float" else "int8"
    return None


def nested(raw: Mapping[str, Any], outer: str, inner: str) -> Any:
    """``raw[outer][inner]`` or None."""
    found = raw.get(outer)
    return found.get(inner) if isinstance(found, Mapping) else None
