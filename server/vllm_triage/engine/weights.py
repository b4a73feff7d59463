"""Bytes of weights on one GPU."""

from ..domain import ModelShape

__all__ = ["weight_bytes"]

UNQUANTIZED = ("lm_head", "embed")


def weight_bytes(shape: ModelShape, tp: int = 1, pp: int = 1, runtime: str | None = None) -> float | None:
    """Bytes of weights on one GPU; None where the parameter count is not known.

    Args:
        shape: the model.
        tp: tensor parallel size.
        pp: pipeline parallel size.
        runtime: ``--quantization`` given at launch for an unquantized checkpoint (``fp8``).
    """
    params = shape.params_total or counted(shape)
    if params is None:
        return None
    embedding = (shape.vocab or 0) * shape.hidden * (1 if shape.tie_word_embeddings else 2)
    bits = 8 * shape.dtype_bytes if shape.dtype_bytes <= 2 else 16.0
    quantized = bits
    if shape.quantization is not None and shape.quantization.weight_bits:
        quantized = shape.quantization.weight_bits
    elif runtime == "fp8":
        quantized = 8.0
    body = max(params - embedding, 0)
    return (body * quantized + embedding * bits) / 8 / tp / pp


def counted(shape: ModelShape) -> float | None:
    """Parameters from the shape alone: attention, feed-forward or experts, embeddings."""
    if shape.intermediate is None or shape.vocab is None:
        return None
    attention = shape.hidden * shape.head_dim * (shape.q_heads * 2 + shape.kv_heads * 2)
    dense = 3 * shape.hidden * shape.intermediate
    body = shape.layers * attention
    if shape.moe is None or shape.moe.layers is None:
        body += shape.layers * dense
    else:
        expert = 3 * shape.hidden * (shape.moe.intermediate or shape.intermediate)
        body += shape.moe.layers * (shape.moe.experts + shape.moe.shared) * expert + (shape.layers - shape.moe.layers) * dense
    return float(body + shape.vocab * shape.hidden * (1 if shape.tie_word_embeddings else 2))
