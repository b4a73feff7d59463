"""Which attention backends can serve a launch on an NVIDIA device, by release, and why the others cannot.

The conditions are those of ``AttentionBackend.validate_configuration`` and of the backends' own class methods
(vllm/v1/attention/backends/*.py, 0.11.2 to 0.33.0). Only what a configuration decides is judged: a backend with no reason
against it may still be missing a package. Sparse MLA backends and those of other vendors are not modelled.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .context import Context

__all__ = ["BACKENDS", "SPARSE", "dense_order", "mla_order", "reasons", "sparse_reasons"]

Capability = tuple[int, int]
EIGHT_BITS = frozenset({"fp8", "fp8_e4m3", "fp8_e5m2"})


@dataclass(frozen=True, slots=True)
class Backend:
    """One backend; every test answers for one release and one device."""

    mla: bool
    capability: Callable[[Capability, Context], bool]
    needs: str
    """`capability` in words."""
    blocks: Callable[[int, Context], bool]
    kv: Callable[[str, Capability, Context], bool]
    heads: Callable[[int, Context], bool] = lambda _size, _ctx: True
    sinks: Callable[[Capability, Context], bool] = lambda _have, _ctx: False
    float32: bool = False
    sixteen_bit_kv: bool = True
    """Whether it reads a cache of the model's own dtype."""
    encoder_decoder: Callable[[Context], bool] = lambda _ctx: False
    since: tuple[int, int] = (0, 11)


def _sixteens(size: int, _ctx: Context) -> bool:
    return size % 16 == 0


def _one_of(*sizes: int) -> Callable[[int, Context], bool]:
    return lambda size, _ctx: any(size % kernel == 0 for kernel in sizes)


def _flash_attention_kv(kv: str, have: Capability, ctx: Context) -> bool:
    """FP8 needs FlashAttention 3 on Hopper, or version 4 on Blackwell from 0.24; never e5m2 from 0.20.

    Version 4 falls back to 2 on Blackwell for heads beyond 128 (``get_flash_attn_version``, backends/fa_utils.py 0.33.0);
    from 0.29 heads of 256 have a kernel of their own, with pages of 128 tokens.
    """
    if kv not in EIGHT_BITS:
        return False
    if kv == "fp8_e5m2" and ctx.at_least(0, 20):
        return False
    if have[0] != 10:
        return have[0] == 9
    head = ctx.need_model().head_dim
    paged = head == 256 and ctx.at_least(0, 29) and ctx.whole("block_size", 128) == 128
    return ctx.at_least(0, 24) and (head <= 128 or paged)


def _flashinfer_kv(kv: str, have: Capability, ctx: Context) -> bool:
    """NVFP4 needs TensorRT-LLM's kernels of 10.x from 0.21; from 0.32 FA2's read it on 8.x, 9.x and 12.x too.

    FA2 reads neither ``nvfp4_4over6`` nor heads of 64 nor sinks (``supports_combination``, backends/flashinfer.py 0.32.0).
    """
    if not kv.startswith("nvfp4"):
        return kv in EIGHT_BITS
    if have[0] == 10:
        return ctx.at_least(0, 21)
    model = ctx.need_model()
    plain = kv == "nvfp4" and model.head_dim != 64 and model.model_type != "gpt_oss"
    return ctx.at_least(0, 32) and have[0] in (8, 9, 12) and plain


def _triton_kv(kv: str, have: Capability, ctx: Context) -> bool:
    """The kernel's own 8-bit type exists from 8.9; e5m2 was stored as it is until 0.24 refused every FP8 type below."""
    if kv in EIGHT_BITS:
        stored = kv == "fp8_e5m2" and not ctx.at_least(0, 24)
        return have >= (8, 9) or stored or not ctx.at_least(0, 11)
    return kv.endswith("_per_token_head") and not (kv.startswith("fp8") and ctx.at_least(0, 24) and have < (8, 9))


def _sixteen_bits(_kv: str, _have: Capability, _ctx: Context) -> bool:
    return False


def _fp8(kv: str, _have: Capability, _ctx: Context) -> bool:
    return kv in EIGHT_BITS


def _e4m3(kv: str, _have: Capability, _ctx: Context) -> bool:
    return kv in ("fp8", "fp8_e4m3")


def _hpc_kv(kv: str, _have: Capability, _ctx: Context) -> bool:
    return kv == "fp8_e4m3"


BACKENDS: dict[str, Backend] = {
    "FLASH_ATTN": Backend(
        mla=False, capability=lambda have, _ctx: have >= (8, 0), needs="8.0 or newer", blocks=_sixteens,
        kv=_flash_attention_kv,
        heads=lambda size, ctx: size % 8 == 0 and size <= (512 if ctx.at_least(0, 21) else 256),
        encoder_decoder=lambda _ctx: True,
        sinks=lambda have, ctx: have[0] == 9 or (have[0] == 10 and ctx.at_least(0, 20)),
    ),
    "FLASHINFER": Backend(
        mla=False, capability=lambda have, ctx: ((8, 0) if ctx.at_least(0, 24) else (7, 5)) <= have <= (12, 1),
        needs="8.0 to 12.1, from 7.5 before 0.24", blocks=_one_of(16, 32, 64), kv=_flashinfer_kv,
        heads=lambda size, ctx: size in (64, 128, 256) or (size == 512 and ctx.at_least(0, 21)),
        sinks=lambda have, ctx: have[0] == 10 or (have[0] in (9, 12) and ctx.at_least(0, 24)),
    ),
    "TRITON_ATTN": Backend(
        mla=False, capability=lambda _have, _ctx: True, needs="any", blocks=_sixteens, kv=_triton_kv,
        heads=lambda size, _ctx: size >= 32, sinks=lambda _have, _ctx: True, float32=True,
        encoder_decoder=lambda ctx: ctx.at_least(0, 14),
    ),
    "FLEX_ATTENTION": Backend(
        mla=False, capability=lambda _have, _ctx: True, needs="any",
        blocks=lambda size, ctx: size % 16 == 0 or not ctx.at_least(0, 21), kv=_sixteen_bits, float32=True,
    ),
    "HPC_ATTN": Backend(
        mla=False, capability=lambda have, _ctx: have == (9, 0), needs="9.0", blocks=_one_of(64), kv=_hpc_kv,
        heads=lambda size, _ctx: size == 128, since=(0, 26),
    ),
    "FLASHMLA": Backend(
        mla=True, capability=lambda have, _ctx: have[0] in (9, 10), needs="9.x or 10.x", blocks=_one_of(64), kv=_e4m3,
    ),
    "CUTLASS_MLA": Backend(
        mla=True, capability=lambda have, _ctx: have[0] == 10, needs="10.x", blocks=_one_of(128), kv=_e4m3,
    ),
    "FLASHINFER_MLA": Backend(
        mla=True, capability=lambda have, _ctx: have[0] == 10, needs="10.x", blocks=_one_of(32, 64), kv=_e4m3,
    ),
    "FLASH_ATTN_MLA": Backend(
        mla=True, capability=lambda have, _ctx: have[0] == 9, needs="9.x", blocks=_sixteens, kv=_sixteen_bits,
    ),
    "TRITON_MLA": Backend(
        mla=True, capability=lambda _have, _ctx: True, needs="any",
        blocks=lambda size, ctx: size % 16 == 0 or not ctx.at_least(0, 18),
        kv=lambda kv, have, ctx: kv in ("fp8", "fp8_e4m3") and ctx.at_least(0, 18) and have >= (8, 9),
    ),
    "TOKENSPEED_MLA": Backend(
        mla=True, capability=lambda have, _ctx: have[0] == 10, needs="10.x", blocks=_one_of(32, 64), kv=_e4m3,
        sixteen_bit_kv=False, since=(0, 21),
    ),
}  # fmt: skip


def dense_order(have: Capability) -> tuple[str, ...]:
    """The order in which vLLM tries backends for attention without MLA (platforms/cuda.py, _get_backend_priorities)."""
    first = ("FLASHINFER", "FLASH_ATTN") if have[0] == 10 else ("FLASH_ATTN", "FLASHINFER")
    return (*first, "TRITON_ATTN", "FLEX_ATTENTION")


def mla_order(have: Capability) -> tuple[str, ...]:
    """The backends vLLM tries for plain MLA on a device; TOKENSPEED_MLA is left out, it needs a package of its own."""
    if have[0] == 12:
        return ("TRITON_MLA",)
    return ("FLASHINFER_MLA", "CUTLASS_MLA", "FLASH_ATTN_MLA", "FLASHMLA", "TRITON_MLA")


def reasons(name: str, ctx: Context, have: Capability, *, block: int | None, kv: str | None) -> Sequence[str] | None:
    """What speaks against a backend; empty when nothing does, None when the backend is not modelled.

    `block` is the block size the user asked for and `kv` the KV cache dtype, each None to leave it out of account.
    """
    backend = BACKENDS.get(name)
    model = ctx.need_model()
    if backend is None or ctx.release < backend.since or any(run.kind in ("mla_sparse", "mla_compressed") for run in model.runs):
        return None
    against = []
    if backend.mla != model.uses_mla:
        against.append("it serves MLA models only" if backend.mla else "it does not serve MLA models")
    if not backend.capability(have, ctx):
        against.append(f"it needs compute capability {backend.needs}, the device has {have[0]}.{have[1]}")
    if against:
        return against
    if block is not None and block > 0 and not backend.blocks(block, ctx):
        against.append(f"it does not take a block size of {block}")
    plain = kv in ("auto", "float16", "bfloat16")
    if kv is not None and not (backend.sixteen_bit_kv if plain else backend.kv(kv, have, ctx)):
        against.append(f"it does not read a {kv} KV cache on compute capability {have[0]}.{have[1]}")
    if not backend.mla and not backend.heads(model.head_dim, ctx):
        against.append(f"it does not take a head size of {model.head_dim}")
    if ctx.setting("dtype") == "float32" and not backend.float32:
        against.append("it does not compute in float32")
    if model.is_encoder_decoder and not backend.encoder_decoder(ctx):
        against.append("it has no cross-attention between an encoder and a decoder")
    against += _hpc(ctx) if name == "HPC_ATTN" else ()
    if model.model_type == "gpt_oss" and not backend.sinks(have, ctx):
        against.append("it has no attention sinks on this device")
    return against


def _hpc(ctx: Context) -> Sequence[str]:
    """What ``HpcAttentionImpl`` and its metadata builder refuse beyond the backend's own statements (0.28.0)."""
    model, spec = ctx.need_model(), ctx.spec
    against = []
    if model.kv_heads and (group := model.q_heads // model.kv_heads) not in (4, 8):
        against.append(f"it takes 4 or 8 query heads per KV head, the model has {group}")
    if spec is not None and spec.tokens is not None and spec.tokens > 3:
        against.append(f"it verifies 3 draft tokens at most, not {spec.tokens}")
    return against


SPARSE: dict[str, tuple[Callable[[Capability], bool], str, frozenset[str]]] = {
    "FLASHMLA_SPARSE": (lambda have: have[0] in (9, 10), "9.x or 10.x", frozenset({"fp8", "fp8_ds_mla"})),
    "FLASHINFER_MLA_SPARSE": (lambda have: have[0] == 10, "10.x", frozenset({"fp8", "fp8_e4m3"})),
    "FLASH_ATTN_MLA_SPARSE": (lambda have: have[0] == 9, "9.x", frozenset()),
    "FLASHINFER_MLA_SPARSE_SM120": (
        lambda have: have[0] == 12, "12.x", frozenset({"fp8", "fp8_e4m3", "fp8_ds_mla"}),
    ),
}  # fmt: skip
"""Backends of sparse MLA (0.28.0): device, that in words, the KV cache dtypes read beyond 16 bits."""


def sparse_reasons(name: str, ctx: Context, have: Capability, kv: str | None) -> Sequence[str] | None:
    """What speaks against a backend for a model that attends sparsely (DSA); None when it is not modelled.

    The backends of DeepSeek-V4, whose latents are compressed too, are others.
    """
    if any(run.kind == "mla_compressed" for run in ctx.need_model().runs):
        return None
    if name in BACKENDS:
        return ("it does not attend sparsely",)
    if name not in SPARSE or not ctx.within(">=0.18,<0.33"):
        return None
    capability, needs, read = SPARSE[name]
    if not capability(have):
        return (f"it needs compute capability {needs}, the device has {have[0]}.{have[1]}",)
    plain = ("auto",) if name.endswith("_SM120") else ("auto", "float16", "bfloat16")
    if kv is not None and kv not in plain and kv not in read:
        return (f"it does not read a {kv} KV cache",)
    return ()
