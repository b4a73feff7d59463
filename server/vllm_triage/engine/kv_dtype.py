"""The type keys and values are stored in: ``--kv-cache-dtype`` with ``auto`` resolved as the version and device do."""

from collections.abc import Mapping

from ..domain import Deployment, ModelShape
from ..facts.versions import number
from .setting_values import as_int

__all__ = ["ELEMENT", "is_cpu", "resolved_cache_dtype", "served_bytes"]

ELEMENT = {"fp8": 1, "fp8_e4m3": 1, "fp8_e5m2": 1, "fp8_inc": 1, "bfloat16": 2, "float16": 2, "half": 2, "float32": 4}
"""Bytes per element by ``--kv-cache-dtype``; per-tensor scales are parameters, not pages."""

EIGHT_BIT = ("fp8", "fp8_e4m3", "fp8_ds_mla")
"""Names under which the packed fp8 latent can be asked for."""


def served_bytes(deployment: Deployment, shape: ModelShape) -> float:
    """Bytes per element of the type the model is served in: ``--dtype``, else the checkpoint's, 16 bits at most."""
    resolved = ELEMENT.get(str(deployment.setting("dtype") or "auto"))
    return float(resolved) if resolved is not None else min(shape.dtype_bytes, 2.0)


def is_cpu(deployment: Deployment) -> bool:
    """True when the deployment runs on vLLM's CPU platform."""
    return deployment.gpu is not None and deployment.gpu.vendor == "cpu"


def resolved_cache_dtype(deployment: Deployment, shape: ModelShape) -> str:
    """``--kv-cache-dtype`` with ``auto`` resolved: the checkpoint's own KV scheme, else the model's type."""
    asked = str(deployment.setting("kv_cache_dtype") or "auto")
    if any(run.kind == "mla_compressed" for run in shape.runs):
        rows = backend_of(deployment) == "FLASHINFER_MLA_SPARSE_DSV4"
        return "fp8_ds_mla" if not rows and asked in ("auto", *EIGHT_BIT) else asked
    if any(run.kind == "mla_sparse" for run in shape.runs):
        # the resolved setting is what vLLM makes of it; which of the two it was given decides in 0.11
        return sparse_cache_dtype(deployment, shape, str(deployment.args.get("kv_cache_dtype") or asked))
    if asked == "auto" and shape.quantization is not None and shape.quantization.kv_cache:
        return "fp8" if shape.quantization.kv_cache.startswith("fp8") else "auto"
    return asked


def sparse_cache_dtype(deployment: Deployment, shape: ModelShape, asked: str) -> str:
    """Latents of sparse MLA: packed fp8 (``fp8_ds_mla``) where the version or the backend stores fp8 that way.

    Every fp8 is packed until 0.17, and in 0.11 ``auto`` is too. From 0.18 the FlashMLA backend packs (Hopper);
    FlashInfer's, the default on SM100 for fp8, keeps plain rows; SM120's packs ``auto`` as well (from 0.26).
    """
    release = number(deployment.version)
    if asked == "auto" and release >= (0, 32, 0) and shape.model_type == "glm_moe_dsa" and capability(deployment) == 10:
        asked = "fp8_e4m3"
    if release < (0, 12, 0):
        return "fp8_ds_mla" if asked in ("auto", *EIGHT_BIT) else "auto"
    asked = "auto" if asked == "bfloat16" else asked
    if asked not in EIGHT_BIT:
        packs_auto = capability(deployment) == 12 and release >= (0, 26, 0)
        return "fp8_ds_mla" if asked == "auto" and packs_auto else asked
    return "fp8_ds_mla" if release < (0, 18, 0) or packs(deployment, shape, release) else asked


def packs(deployment: Deployment, shape: ModelShape, release: tuple[int, int, int]) -> bool:
    """Whether the sparse backend in use stores fp8 latents packed."""
    backend = backend_of(deployment)
    if "SPARSE" in backend:
        return backend != "FLASHINFER_MLA_SPARSE"
    if deployment.gpu is not None and deployment.gpu.vendor == "amd":
        return False
    if capability(deployment) != 10:
        return True
    heads = shape.q_heads // max(as_int(deployment.setting("tensor_parallel_size"), 1), 1)
    return release < (0, 20, 0) and heads > 16


def backend_of(deployment: Deployment) -> str:
    """The attention backend asked for, upper case; empty when none is."""
    config = deployment.args.get("attention_config")
    within = config.get("backend") if isinstance(config, Mapping) else None
    env = next((one.value for one in deployment.env if one.name == "VLLM_ATTENTION_BACKEND"), None)
    return str(deployment.args.get("attention_backend") or within or env or "").upper()


def capability(deployment: Deployment) -> int:
    """Major compute capability; 9 (Hopper) where the device is not known."""
    text = (deployment.gpu.compute_capability if deployment.gpu else None) or "9"
    return int(text.split(".")[0]) if text[:1].isdigit() else 0
