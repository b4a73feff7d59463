"""How many tokens a block holds: what the attention backend of a device asks for, and what recurrent state forces.

``--block-size`` is a wish. Backends work in kernel blocks of fixed sizes; a hybrid's attention block must be large
enough to hold one recurrent state; and from 0.25 on sliding-window layers choose their own block.
"""

from math import ceil, lcm
from typing import NamedTuple

from ..domain import Accelerator, ModelShape

__all__ = ["Blocks", "Kernel", "block_sizes", "kernel_of"]


COMPRESSED_BLOCK = 256
"""Tokens in a block of DeepSeek-V4's indexer: 64 latents of 4. Any other size is refused."""


class Kernel(NamedTuple):
    """Block sizes an attention backend can run."""

    smallest: int
    sizes: tuple[int, ...] = ()
    """The only sizes it runs; empty when every multiple of `smallest` will do."""

    def supports(self, block: int) -> bool:
        """Whether the backend can run blocks of this size (larger ones are split into kernel blocks)."""
        return any(block % size == 0 for size in self.sizes or (self.smallest,))

    def largest_within(self, block: int) -> int:
        """The largest kernel block not above `block`; the smallest where none is."""
        if self.sizes:
            return max((size for size in self.sizes if size <= block), default=self.smallest)
        return max(self.smallest, block // self.smallest * self.smallest)


class Blocks(NamedTuple):
    """Tokens per block by kind of layer, and the page recurrent states are padded to."""

    attention: int
    window: int
    state: int
    state_page: int | None = None


def platform_of(gpu: Accelerator | None) -> str:
    """``cuda``, ``rocm``, ``xpu`` or ``cpu``; CUDA where the device is not known."""
    vendor = "nvidia" if gpu is None else gpu.vendor
    return {"nvidia": "cuda", "amd": "rocm", "intel": "xpu", "cpu": "cpu"}.get(vendor, "cuda")


def capability(gpu: Accelerator | None) -> int:
    """Major compute capability; 9 (Hopper) where the device is not known, 0 off CUDA."""
    if gpu is None:
        return 9
    text = gpu.compute_capability or ""
    return int(text.split(".")[0]) if text[:1].isdigit() else 0


def kernel_of(shape: ModelShape, gpu: Accelerator | None, release: tuple[int, int, int]) -> Kernel:
    """The kernel blocks of the backend this device uses by default for this model.

    FlashAttention and Triton run any multiple of 16; FlashInfer (the default on SM100) 16, 32 or 64; the CPU kernels
    multiples of 32 (of 16 before 0.29); XPU multiples of 64. Latent attention: FlashAttention-MLA (Hopper) and Triton
    any multiple of 16, FlashInfer-MLA (SM100) 32 or 64, sparse MLA 64, the CPU's reference kernel 16 alone.
    """
    where = platform_of(gpu)
    if any(run.kind == "mla_compressed" for run in shape.runs):
        return Kernel(COMPRESSED_BLOCK, (COMPRESSED_BLOCK,))
    pool = max((run.index_pool or 0 for run in shape.runs), default=0)
    if pool:  # pages of 64 pooled keys, of 32 too but on SM120; every sparse latent's kernel divides them
        sizes = (64 * pool,) if capability(gpu) == 12 else (32 * pool, 64 * pool)
        return Kernel(sizes[0], sizes)
    if where == "cpu":
        return Kernel(16, (16,)) if shape.uses_mla else Kernel(32 if release >= (0, 29, 0) else 16)
    if where == "xpu":
        return Kernel(64)
    if any(run.kind == "full" and run.index_dim for run in shape.runs):
        return Kernel(128, (128,))  # MiniMax-M3: a page is one block of its sparse attention
    if any(run.kind == "mla_sparse" for run in shape.runs):
        return Kernel(64, (64,))
    if where == "cuda" and capability(gpu) == 10:
        return Kernel(32, (32, 64)) if shape.uses_mla else Kernel(16, (16, 32, 64))
    if shape.uses_mla and where == "cuda" and release < (0, 18, 0) and capability(gpu) == 9:
        return Kernel(64, (64,))  # FlashMLA was forced on Hopper
    return Kernel(16)


def base_block(
    given: int | None, shape: ModelShape, gpu: Accelerator | None, kernel: Kernel, release: tuple[int, int, int]
) -> int:
    """The attention block before recurrent state is considered."""
    if kernel.smallest == COMPRESSED_BLOCK:
        return given if given is not None and kernel.supports(given) else COMPRESSED_BLOCK
    if platform_of(gpu) == "cpu":
        return 16 if shape.uses_mla else given or 128
    if release < (0, 18, 0):
        block = given or 16
        if not shape.uses_mla or kernel.supports(block):
            return block
        return max(kernel.sizes or (kernel.smallest,))  # forced to what FlashMLA, FlashInfer-MLA or sparse MLA run
    if given is not None:
        return given
    return 16 if kernel.supports(16) else kernel.smallest


def block_sizes(
    given: int | None,
    shape: ModelShape,
    gpu: Accelerator | None,
    release: tuple[int, int, int],
    *,
    attention_bytes: int,
    state_bytes: int,
    mamba_mode: str,
    max_model_len: int,
) -> Blocks:
    """Block sizes of one model on one device.

    Args:
        given: ``--block-size``, None when not given.
        shape: the model.
        gpu: the device, None when not known.
        release: the vLLM release.
        attention_bytes: bytes one token takes in one attention layer on one rank.
        state_bytes: bytes of the largest recurrent state of one layer on one rank; 0 when there is none.
        mamba_mode: how state takes part in prefix caching.
        max_model_len: tokens; the block of a state that is never shared.
    """
    kernel = kernel_of(shape, gpu, release)
    block = base_block(given, shape, gpu, kernel, release)
    if not state_bytes:
        return Blocks(block, window_block(block, kernel, release), block)
    if not attention_bytes:
        return Blocks(block, block, block if mamba_mode == "align" else max_model_len)
    aligned = aligned_block(
        block, shape, kernel, release, attention_bytes=attention_bytes, state_bytes=state_bytes, mode=mamba_mode
    )
    block = max(block, aligned)
    page = block * attention_bytes
    state = max_model_len if mamba_mode == "none" else block
    return Blocks(block, window_block(block, kernel, release), state, page if page > state_bytes else None)


def aligned_block(
    block: int,
    shape: ModelShape,
    kernel: Kernel,
    release: tuple[int, int, int],
    *,
    attention_bytes: int,
    state_bytes: int,
    mode: str,
) -> int:
    """The smallest attention block whose page holds one recurrent state, in steps the kernels and the version allow."""
    if release < (0, 20, 0):
        step = 64 if shape.uses_mla else 16
        if mode == "all":
            step = lcm(state_chunk(shape), step)
        return step * ceil(state_bytes / (step * attention_bytes))
    step = max(kernel.smallest, block)
    if shape.uses_mla and release >= (0, 27, 0):
        step = max(step, 128)
    if mode == "all":
        step = lcm(state_chunk(shape), step)
    needed = step * ceil(state_bytes / (step * attention_bytes))
    return kernel.smallest * ceil(needed / kernel.smallest)


def state_chunk(shape: ModelShape) -> int:
    """Tokens the state's prefill kernel works on at a time; 2048 for kernels without chunks."""
    return next((run.state_chunk for run in shape.runs if run.state_chunk), 2048)


def window_block(block: int, kernel: Kernel, release: tuple[int, int, int]) -> int:
    """A window layer's block: the kernel's smallest from 0.25 to 0.29, then its largest within the attention block."""
    if release < (0, 25, 0):
        return block
    if release < (0, 30, 0):
        return kernel.smallest
    return kernel.largest_within(block)
