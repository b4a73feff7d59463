"""Recurrent state of mamba and linear-attention layers: the tensors one sequence keeps, before TP division.

Shapes follow vLLM's ``MambaStateShapeCalculator``. Which axis TP divides, and which grows with speculative tokens, is
carried on each tensor.
"""

from ...domain import StateTensor
from .view import ConfigView

__all__ = ["gated_delta", "kimi_delta", "lightning", "mamba1", "mamba2", "short_conv"]


def _conv(
    rows: int, dim: int, width: int, *, spec: bool = True, groups: int | None = None, group_width: int = 0
) -> StateTensor:
    """The window of the causal convolution: ``rows`` past inputs of ``dim`` channels."""
    return StateTensor(
        shape=(rows, dim),
        dtype_bytes=width,
        role="conv",
        tp_axis=1,
        spec_axis=0 if spec else None,
        groups=groups,
        group_width=group_width,
    )


def mamba2(
    view: ConfigView, *, inner: int, heads: int, head_dim: int, state: int, groups: int, kernel: int, width: int
) -> tuple[StateTensor, ...]:
    """Mamba-2: a convolution over x, B and C, and a ``heads x head_dim x state`` matrix."""
    return (
        _conv(kernel - 1, inner + 2 * groups * state, width, groups=groups, group_width=2 * state),
        StateTensor(shape=(heads, head_dim, state), dtype_bytes=temporal_width(view, width), tp_axis=0),
    )


def mamba1(view: ConfigView, *, inner: int, state: int, kernel: int, width: int) -> tuple[StateTensor, ...]:
    """Mamba-1: a convolution over x, and an ``inner x state`` matrix."""
    return (
        _conv(kernel - 1, inner, width, spec=False),
        StateTensor(shape=(inner, state), dtype_bytes=temporal_width(view, width), tp_axis=0),
    )


def gated_delta(view: ConfigView, width: int) -> tuple[StateTensor, ...]:
    """Gated DeltaNet (Qwen3-Next, Qwen3.5): a convolution over q, k, v, and a matrix per value head."""
    k_heads, v_heads = view.need("linear_num_key_heads"), view.need("linear_num_value_heads")
    k_dim, v_dim = view.need("linear_key_head_dim"), view.need("linear_value_head_dim")
    kernel = view.need("linear_conv_kernel_dim")
    return (
        _conv(kernel - 1, 2 * k_dim * k_heads + v_dim * v_heads, width),
        StateTensor(shape=(v_heads, v_dim, k_dim), dtype_bytes=temporal_width(view, width), tp_axis=0),
    )


def kimi_delta(heads: int, head_dim: int, kernel: int, width: int) -> tuple[StateTensor, ...]:
    """Kimi Delta Attention: a convolution over q, k, v, and a float32 matrix per head."""
    return (
        _conv(kernel - 1, 3 * heads * head_dim, width),
        StateTensor(shape=(heads, head_dim, head_dim), dtype_bytes=4, tp_axis=0),
    )


def lightning(heads: int, head_dim: int, width: int) -> tuple[StateTensor, ...]:
    """Lightning (plain linear) attention: one ``head_dim x head_dim`` matrix per head."""
    return (StateTensor(shape=(heads, head_dim, head_dim), dtype_bytes=width, tp_axis=0),)


def short_conv(dim: int, kernel: int, width: int) -> tuple[StateTensor, ...]:
    """A short convolution alone (LFM2)."""
    return (_conv(kernel - 1, dim, width),)


def temporal_width(view: ConfigView, width: int) -> int:
    """Bytes per element of the recurrent state: what the config asks for, else the model's own type."""
    asked = str(view.get("mamba_ssm_cache_dtype", "mamba_ssm_dtype", default="")).lower()
    return {"float32": 4, "bfloat16": 2, "float16": 2}.get(asked, width)
