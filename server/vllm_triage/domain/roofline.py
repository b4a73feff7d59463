"""What the hardware allows: floors in ms, seats in requests, each with the inputs it was computed from."""

from typing import Literal

from .base import Noun, Words

__all__ = ["Roofline"]


class Roofline(Noun):
    """Physics of one deployment under one load. None where an input is missing (`missing` names it)."""

    running: float | None = None
    """R: sequences decoding at once, output_tok_s x TPOT."""
    in_system: float | None = None
    """N: requests in the system by Little's law."""
    seats_kv: float | None = None
    """Requests of this length the KV pool holds."""
    seats_scheduler: int | None = None
    """max_num_seqs over all engines."""
    token_budget: int | None = None
    """Tokens the scheduler may place in one step."""
    decode_floor_ms: float | None = None
    """Least time of one decode step at the running batch."""
    decode_bound: Literal["bandwidth", "compute", "kv_reads", "overhead"] | None = None
    weights_ms: float | None = None
    kv_reads_ms: float | None = None
    compute_ms: float | None = None
    collectives_ms: float | None = None
    prefill_floor_ms: float | None = None
    """Least time to prefill one prompt of the mean length."""
    chunk_step_ms: float | None = None
    """Time of one step that carries a full token budget."""
    saturation_batch: float | None = None
    """Batch at which decode turns from bandwidth- to compute-bound."""
    mfu: float | None = None
    """Share of peak FLOPs that the measured token rate needs, 0 to 1."""
    max_output_tok_s: float | None = None
    """Output rate the floor allows at the running batch."""
    missing: Words = ()
    assumptions: Words = ()
