"""dtype, quantization and the KV cache's type.

Source: ``_get_and_verify_dtype`` (config/model.py), ``supported_dtypes`` of the platforms, ``MODELS_CONFIG_MAP``
(model_executor/models/config.py).
"""

from ...domain import ModelShape
from ...facts.quantization import methods
from .case import UNKNOWN_MODEL, Case, Release

__all__ = ["kv_cache_dtype", "quantization", "torch_dtype"]

NO_FLOAT16 = frozenset({"gemma2", "gemma3", "gemma3_text", "plamo2", "glm4"})
"""Model types that are numerically unstable in float16 (``_FLOAT16_NOT_SUPPORTED_MODELS``)."""
FP8_ON_BLACKWELL: dict[str, tuple[Release, str]] = {
    "GlmMoeDsaForCausalLM": ((0, 32, 0), "fp8_e4m3"),
    "Glm5NextForCausalLM": ((0, 33, 0), "fp8"),
    "Glm5NextForConditionalGeneration": ((0, 33, 0), "fp8"),
}
"""Architectures that turn ``auto`` into fp8 on compute capability 10.x, by first release."""
FIRST_NVFP4: Release = (0, 20, 0)
"""First release that takes an NVFP4 KV cache from a ModelOpt checkpoint."""
RUN_BY_MARLIN = frozenset({"awq", "gptq"})
"""Methods whose checkpoints run on kernels that take other types than the method's own."""
SHORT = {
    "half": "float16",
    "float": "float32",
    "torch.bfloat16": "bfloat16",
    "torch.float16": "float16",
    "torch.float32": "float32",
}


def torch_dtype(case: Case) -> None:
    """``auto`` is the checkpoint's type; float32 checkpoints and types the device lacks fall to the device's first."""
    given = case.given("dtype")
    if isinstance(given, str) and given != "auto":
        case.put("dtype", SHORT.get(given, given), "given")
        return
    if case.model is None:
        case.put("dtype", None, "assumed", f"auto: {UNKNOWN_MODEL}")
        return
    if case.model.dtype is None:
        _dtype_of_tensors(case, case.model)
        return
    own = SHORT.get(case.model.dtype, case.model.dtype)
    lacks_bf16 = case.capability is not None and case.capability < (8, 0)
    half_works = case.model.model_type not in NO_FLOAT16
    preferred = ("float16" if half_works else "float32") if lacks_bf16 else "bfloat16"
    if case.model.is_pooling and half_works:
        preferred = "float16"
    if own == "float32":
        case.put("dtype", preferred, "derived", "auto: a float32 checkpoint is run in the device's preferred type")
    elif own == "bfloat16" and lacks_bf16:
        case.put("dtype", preferred, "derived", "auto: devices below compute capability 8.0 have no bfloat16")
    else:
        case.put("dtype", own, "derived", "auto: the checkpoint's type")


def _dtype_of_tensors(case: Case, model: ModelShape) -> None:
    """A config without a dtype: vLLM reads it off the tensors, whose types are known where a method takes one alone."""
    own = None if model.quantization is None else methods(".".join(map(str, case.release))).get(model.quantization.method)
    takes = () if own is None else own.dtypes
    if len(takes) == 1 and own is not None and own.name not in RUN_BY_MARLIN:
        case.put("dtype", SHORT.get(takes[0], takes[0]), "derived", f"auto: the only type {own.name} computes in")
    else:
        case.put("dtype", None, "assumed", "auto: the type of the checkpoint's tensors, which its config does not name")


def quantization(case: Case) -> None:
    """The method given, else the checkpoint's own."""
    given = case.given("quantization")
    own = None if case.model is None or case.model.quantization is None else case.model.quantization.method
    if own == "mxfp4" and case.model is not None and case.model.model_type == "gpt_oss" and case.release >= (0, 20, 0):
        own = "gpt_oss_mxfp4"
    if own == "gpt_oss_mxfp4" and given is not None:
        case.put("quantization", own, "derived", f"the checkpoint's own method replaces {given}")
    elif given is not None and given != own:
        case.put("quantization", given, "given")
    elif own is not None:
        case.put("quantization", own, "derived", "the checkpoint's own quantization")
    elif case.model is None:
        case.put("quantization", None, "assumed", UNKNOWN_MODEL)
    else:
        case.put("quantization", None, "default", "the checkpoint is not quantized")


def kv_cache_dtype(case: Case) -> None:
    """As given; a few architectures replace ``auto`` or the type asked for."""
    asked = case.given("kv_cache_dtype")
    asked = asked if isinstance(asked, str) else "auto"
    architecture = None if case.model is None else case.model.architecture
    name = "kv_cache_dtype"
    if architecture == "DeepseekV32ForCausalLM":
        if asked.startswith("fp8") and asked != "fp8_ds_mla" and (0, 11, 0) <= case.release < (0, 18, 0):
            case.put(name, "fp8_ds_mla", "derived", "DeepSeek-V3.2 keeps fp8 in its own layout")
            return
        if asked == "auto" and (0, 11, 0) <= case.release < (0, 11, 1):
            case.put(name, "fp8_ds_mla", "derived", "auto: DeepSeek-V3.2 is packed into fp8 in 0.11.0 alone")
            return
        if asked == "bfloat16":
            case.put(name, "auto", "derived", "DeepSeek-V3.2 reads bfloat16 as auto")
            return
    blackwell = case.capability is not None and case.capability[0] == 10
    if asked == "auto" and blackwell and architecture in FP8_ON_BLACKWELL:
        since, kind = FP8_ON_BLACKWELL[architecture]
        if case.release >= since:
            case.put(name, kind, "derived", "this architecture keeps its KV cache in fp8 on datacenter Blackwell")
            return
    if case.vendor == "cpu" and asked.startswith("fp8") and case.release < (0, 22, 0):
        case.put(name, "auto", "derived", "the CPU backend falls back to auto before 0.22")
        return
    if asked == "auto" and (own := _kv_of_checkpoint(case)) is not None:
        case.put(name, own, "derived", "auto: the checkpoint's ModelOpt configuration names it")
        return
    scheme = None if case.model is None or case.model.quantization is None else case.model.quantization.kv_cache
    if case.given(name) is not None:
        case.put(name, asked, "given")
    elif scheme:
        case.put(
            name,
            "auto",
            "default",
            f"auto: the checkpoint brings its own KV scheme ({scheme}), applied when weights load",
        )
    else:
        case.put(name, "auto", "default", "auto: the model's type")


def _kv_of_checkpoint(case: Case) -> str | None:
    """What ``auto`` becomes from 0.14 for a ModelOpt checkpoint that quantizes its KV cache; None for any other.

    Source: ``get_kv_cache_quant_algo_string`` (utils/torch_utils.py).
    """
    told = None if case.model is None else case.model.quantization
    if told is None or case.release < (0, 14, 0) or not told.method.startswith("modelopt"):
        return None
    if told.kv_cache == "nvfp4" and case.release >= FIRST_NVFP4:
        return "nvfp4"
    return "fp8_e4m3" if told.kv_cache == "fp8" else None
