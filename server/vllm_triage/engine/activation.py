"""Memory one step takes beside weights and cache: what vLLM's profile run measures before it sizes the pool.

Two things peak, and the larger counts. The sampler's dummy run sorts one row of logits per sequence
(``max_num_seqs`` rows of the vocabulary). The model's dummy run pushes ``max_num_batched_tokens`` tokens through one
layer. Routed experts keep a workspace between the two. The constants are fitted to the startup records listed in
``benchmarks/pool_accuracy.md``, few and physical: bytes per logit, and activations per token in units of the layer's
widths.
"""

from ..domain import ModelShape

__all__ = ["peak_bytes"]

LOGIT_BYTES = 15.0
"""Bytes per row and vocabulary entry while sampling, from 0.17: float32 logits, a sorted copy, its int64 indices."""

LOGIT_BYTES_BEFORE_017 = 38.4
"""The same before 0.17: the V1 sampler kept several copies more."""

HIDDEN_COPIES = 4.5
"""Hidden-size buffers alive at once in one layer (residual, norm, attention output, projections)."""

FORWARD_BYTES = 2.0
"""Activations are 16-bit."""


def peak_bytes(
    shape: ModelShape, tokens: int, seqs: int, release: tuple[int, int, int], *, tp: int = 1, pp: int = 1
) -> float:
    """Peak activation of one GPU, bytes.

    Args:
        shape: the model.
        tokens: ``max_num_batched_tokens``.
        seqs: ``max_num_seqs``.
        release: the vLLM release.
        tp: tensor parallel size.
        pp: pipeline parallel size; the first stage does not sample.
    """
    rows = min(seqs, tokens)
    forward = layer_bytes(shape, tokens, tp)
    workspace = expert_workspace(shape, tokens, tp)
    if pp > 1:
        # the first stage passes hidden states and residual on instead of sampling
        return forward + workspace + 2 * FORWARD_BYTES * tokens * shape.hidden
    per_logit = LOGIT_BYTES if release >= (0, 17, 0) else LOGIT_BYTES_BEFORE_017
    sampler = per_logit * rows * (shape.vocab or 0) + FORWARD_BYTES * tokens * shape.hidden
    return max(sampler, forward) + workspace


def layer_bytes(shape: ModelShape, tokens: int, tp: int) -> float:
    """One layer's activations: gate and up, their product, and the hidden-size buffers."""
    inner = shape.intermediate or 4 * shape.hidden
    if shape.moe is not None and shape.moe.layers == shape.layers:
        inner = shape.moe.shared * (shape.moe.intermediate or 0)
    return FORWARD_BYTES * tokens * (3 * inner / tp + HIDDEN_COPIES * shape.hidden)


def expert_workspace(shape: ModelShape, tokens: int, tp: int) -> float:
    """Buffers of the fused expert kernel: one row per token and chosen expert.

    Kernels for MXFP4 weights (gpt-oss) work in place of these.
    """
    moe = shape.moe
    if moe is None or not moe.intermediate or (shape.quantization is not None and shape.quantization.method == "mxfp4"):
        return 0.0
    inner = moe.intermediate / tp
    return FORWARD_BYTES * tokens * moe.active * (max(2 * inner, shape.hidden) + inner)
