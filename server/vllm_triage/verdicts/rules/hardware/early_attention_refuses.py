"""Attention of a model that the one backend of a device cannot compute, before 0.11.1.

## What happens
The engine stops while it builds the model.

## Why
Other devices than NVIDIA's have one backend for an engine, and what it does not compute nothing else does: a head size
outside its list, ALiBi, a soft cap on the logits, a window, layers that share their KV cache. On NVIDIA, V1 took
FlashAttention for every head size until Flex attention came (0.9.2).

## Versions
<0.14

## Evidence
- vllm/attention/backends/pallas.py line 111 (0.6.6.post1 to 0.9.2); vllm/v1/attention/backends/pallas.py (0.8.0 to 0.13.0)
- vllm/attention/backends/rocm_flash_attn.py line 346 (0.6.6.post1) to line 479 (0.10.2); vllm/attention/ops/paged_attn.py,
  get_supported_head_sizes; vllm/v1/attention/backends/rocm_attn.py line 89 (0.7.3 to 0.8.1)
- vllm/v1/attention/backends/flash_attn.py line 127 (0.7.3) and line 197 (0.8.0 to 0.9.1), triton_attn.py line 95 (0.8.2 to
  0.9.1); cpu_attn.py, get_supported_head_sizes, and rocm_aiter_fa.py line 451 (0.9.2, 0.10.0)
- vllm/platforms/cuda.py, get_attn_backend_cls (0.7.0 line 168 to 0.10.2 line 400): a backend that is not NVIDIA's
- vllm/worker/enc_dec_model_runner.py, _maybe_force_supported_attention_backend (0.6.6.post1 to 0.10.2)
- vllm/attention/layer.py line 161 (0.9.1, 0.9.2) and the V0 backends (0.10.0 to 0.10.2): no KV sharing on V0

## Fix
Serve the model on another device, on the other engine where there is one, or with a newer release.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ....domain import FixStep, ModelShape
from ...context import Context
from ...engines import runs_v0
from ...rule import Hit, drop, drop_env, rule, set_env

__all__ = ["check", "has_alibi", "has_soft_cap", "shares_cache"]

_FLASH = frozenset({32, 64, 96, 128, 160, 192, 224, 256})
_PAGED = frozenset({32, 64, 80, 96, 112, 120, 128, 192, 256})
_ALIBI = frozenset({"BloomForCausalLM", "MPTForCausalLM", "MptForCausalLM", "JAISLMHeadModel"})
_CAPPED = frozenset({"Gemma2ForCausalLM", "Gemma2Model", "Grok1ForCausalLM", "Grok1ModelForCausalLM"})
_SHARED = frozenset({"Gemma3nForCausalLM", "Gemma3nForConditionalGeneration"})

_V1 = "VLLM_USE_V1"


@dataclass(frozen=True, slots=True)
class _Refusal:
    backend: str
    versions: str
    refuses: Callable[[ModelShape, Context], bool]
    what: str
    steps: tuple[FixStep, ...] = ()


def _heads(sizes: frozenset[int]) -> Callable[[ModelShape, Context], bool]:
    return lambda model, _ctx: model.head_dim not in sizes


def has_alibi(model: ModelShape) -> bool:
    """True for a model whose attention carries ALiBi slopes."""
    return model.architecture in _ALIBI or (model.architecture == "BaichuanForCausalLM" and model.hidden != 4096)


def has_soft_cap(model: ModelShape) -> bool:
    """True for a model that caps its attention logits."""
    return model.architecture in _CAPPED


def _capped_by_triton(model: ModelShape, ctx: Context) -> bool:
    return has_soft_cap(model) and ctx.env.get("VLLM_USE_TRITON_FLASH_ATTN", "1").lower() in ("1", "true")


def _encodes(model: ModelShape, _ctx: Context) -> bool:
    return model.is_encoder_decoder


def _eight_bits_by_aiter(model: ModelShape, ctx: Context) -> bool:
    return ctx.env.get("VLLM_ROCM_USE_AITER") == "1" and _stored_in_eight_bits(model, ctx)


def _encodes_on_another(model: ModelShape, ctx: Context) -> bool:
    asked = ctx.env.get("VLLM_ATTENTION_BACKEND")
    return model.is_encoder_decoder and asked not in (None, "XFORMERS", "FLASH_ATTN")


def _odd_block(_model: ModelShape, ctx: Context) -> bool:
    return ctx.whole("block_size") % 16 != 0


def _of_another_device(_model: ModelShape, ctx: Context) -> bool:
    return ctx.env.get("VLLM_ATTENTION_BACKEND") in ("TORCH_SDPA", "ROCM_FLASH", "PALLAS", "IPEX", "HPU_ATTN")


def shares_cache(model: ModelShape) -> bool:
    """True for a model some layers of which read the KV cache of others."""
    return model.architecture in _SHARED


def _windowed(model: ModelShape, ctx: Context) -> bool:
    return model.sliding_window is not None and ctx.arg("disable_sliding_window") is not True


def _stored_in_eight_bits(_model: ModelShape, ctx: Context) -> bool:
    return str(ctx.arg("kv_cache_dtype", "auto")).startswith("fp8")


_BY_V0 = (set_env(_V1, "0"),)
_BY_V1 = (drop_env(_V1),)
_REFUSALS = (
    _Refusal("pallas", "<0.9.2", lambda m, _: m.head_dim % 128 != 0, "a head size that is not a multiple of 128"),
    _Refusal("pallas", "<0.14", lambda m, _: has_alibi(m), "ALiBi"),
    _Refusal("pallas", "<0.8.3", lambda m, _: has_soft_cap(m), "a soft cap on the attention logits"),
    _Refusal("pallas", "<0.8", _windowed, "a sliding window"),
    _Refusal("pallas", "<0.9.2", _stored_in_eight_bits, "an FP8 KV cache"),
    _Refusal("pallas", "<0.14", _encodes, "an encoder"),
    _Refusal("rocm v0", "<0.7.1", lambda m, _: has_soft_cap(m), "a soft cap on the attention logits"),
    _Refusal(
        "rocm v0", ">=0.7.1,<0.11", _capped_by_triton, "a soft cap on the attention logits with its Triton kernel",
        (set_env("VLLM_USE_TRITON_FLASH_ATTN", "0"),),
    ),
    _Refusal("rocm v0", "<0.7.1", _encodes, "an encoder"),
    _Refusal("rocm v0", "<0.11", _heads(_PAGED), "this head size"),
    _Refusal("rocm v1", ">=0.7,<0.9.2", _heads(_FLASH), "this head size"),
    _Refusal("cpu v1", ">=0.9.1,<0.11", _heads(_PAGED | _FLASH), "this head size"),
    _Refusal("rocm v1", ">=0.9.2,<0.10.1", _eight_bits_by_aiter, "an FP8 KV cache with AITER's attention",
             (drop_env("VLLM_ROCM_USE_AITER"),)),
    _Refusal("cpu v0", "<0.11", _heads(_PAGED), "this head size"),
    _Refusal("flash v1", ">=0.7,<0.9.2", _heads(_FLASH), "this head size on V1", _BY_V0),
    _Refusal("triton v1", ">=0.8.2,<0.9.2", _heads(_FLASH), "this head size on V1", (drop_env("VLLM_ATTENTION_BACKEND"), *_BY_V0)),
    _Refusal("flash v1", ">=0.7,<0.11", _odd_block, "blocks of whole sixteens", (drop("--block-size"),)),
    _Refusal("triton v1", ">=0.7,<0.11", _odd_block, "blocks of whole sixteens", (drop("--block-size"),)),
    *(
        _Refusal(backend, ">=0.6.6,<0.11", _encodes_on_another, "XFormers or FlashAttention for its encoder",
                 (drop_env("VLLM_ATTENTION_BACKEND"),))
        for backend in ("nvidia v0", "flashinfer v0")
    ),
    _Refusal("flashinfer v0", "<0.6.4", _windowed, "a sliding window", (drop_env("VLLM_ATTENTION_BACKEND"),)),
    _Refusal("nvidia v0", ">=0.7,<0.11", _of_another_device, "the attention backend of another device, named by VLLM_ATTENTION_BACKEND",
             (drop_env("VLLM_ATTENTION_BACKEND"),)),
    *(
        _Refusal(backend, ">=0.9.1,<0.11", lambda m, _: shares_cache(m), "layers that share their KV cache on V0", _BY_V1)
        for backend in ("rocm v0", "cpu v0", "nvidia v0", "flashinfer v0")
    ),
)  # fmt: skip


def _backend(ctx: Context) -> str | None:
    """The backend, in the words of the table; None where another one, or none for sure, is in force."""
    gpu, old = ctx.need_gpu(), runs_v0(ctx)
    if gpu.vendor == "google":
        return "pallas"
    if ctx.need_model().uses_mla or old is None:
        return None
    if gpu.vendor in ("amd", "cpu"):
        name = "rocm" if gpu.vendor == "amd" else "cpu"
        return f"{name} v0" if old else f"{name} v1"
    asked = ctx.env.get("VLLM_ATTENTION_BACKEND", "")
    if old:
        return "flashinfer v0" if asked.startswith("FLASHINFER") else "nvidia v0"
    have = ctx.need_capability()
    if have is None or have < (8, 0) or asked.startswith(("FLASHINFER", "FLEX")):
        return None
    return "triton v1" if asked.startswith("TRITON") else "flash v1"


@rule("fatal", flags=(), needs=("model", "gpu"))
def check(ctx: Context) -> Iterator[Hit]:
    model, backend = ctx.need_model(), _backend(ctx)
    for refusal in _REFUSALS:
        if refusal.backend != backend or not ctx.within(refusal.versions) or not refusal.refuses(model, ctx):
            continue
        head = f" (its heads have {model.head_dim})" if "head size" in refusal.what else ""
        yield Hit(
            message=f"{model.id} needs {refusal.what}{head}, which {ctx.need_gpu().name} does not have in {ctx.version}.",
            effect="vLLM stops while it builds the model.",
            steps=refusal.steps,
            fix="" if refusal.steps else "Serve it on another kind of device, or with a newer release.",
        )
