"""What real servers reach of the peak rates, and what a step costs beside them."""

from dataclasses import dataclass

__all__ = ["Efficiencies"]


@dataclass(frozen=True, slots=True)
class Efficiencies:
    """Few numbers, the same for every model of a family on every accelerator of a generation."""

    weights: float
    """Share of peak bandwidth at which dense weights are read."""
    experts: float
    """Share of peak bandwidth at which the weights of routed experts are read."""
    kv: float
    """Share of peak bandwidth at which KV cache and state are read."""
    gemm: float
    """Share of peak FLOPs of dense matrix products."""
    expert_gemm: float
    """Share of peak FLOPs of grouped products over experts."""
    attention: float
    """Share of peak 16-bit FLOPs of attention."""
    layer_us: float
    """Time per layer that no arithmetic explains: kernels that start and end, norms, rotary embedding."""
    expert_layer_us: float
    """The same, of a routed layer on top: routing, sorting tokens, gathering."""
    host_ms: float
    """Per step, outside the layers: scheduling, sampling, preparing the inputs, sending the outputs."""
    sequence_us: float
    """Per decoding sequence: sampling and streaming its token."""
    reduce_us: float
    """Least time of one collective, by doubling of the ranks."""
    link: float
    """Share of the scale-up link's rate that collectives reach."""
    first_token_ms: float
    """Outside the steps, once a request: HTTP, tokenizing, streaming the first token."""
    token_us: float
    """Per prompt token of a step, outside the arithmetic."""
