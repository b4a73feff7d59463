"""What real servers reach of the peak rates, and what a step costs beside them.

Few numbers, none of them of one model: a set for each generation of accelerators, and what all have in common
(:mod:`.fitted`, written by ``tools/fit_cost.py``). :func:`reached` picks those of one kind of deployment.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

__all__ = ["Efficiencies", "Fitted", "Generation", "Kind", "reached"]


@dataclass(frozen=True, slots=True)
class Kind:
    """All the efficiencies depend on."""

    generation: str
    """Of the accelerator, a key of :attr:`Fitted.generations`."""
    narrow: bool
    """Whether dense products run at a rate above the 16-bit one."""
    experts: Literal["wide", "narrow", "packed"]
    """How routed experts compute: in 16 bits, in fewer at a higher rate, or from about four bits a weight."""
    latent: bool
    """Whether attention keeps a latent (MLA)."""
    recurrent: bool
    """Whether some layers keep a recurrent state."""
    synchronous: bool
    """Whether the host's work of a step waits for the device: without async scheduling."""
    early: bool
    """Whether the release is one before async scheduling was the default (0.14)."""


@dataclass(frozen=True, slots=True)
class Generation:
    """Efficiencies of one generation of accelerators."""

    weights: float
    """Share of peak bandwidth at which dense weights are read."""
    experts: float
    """Share of peak bandwidth at which routed experts are read that are picked."""
    experts_packed: float
    """The same, of experts with four bits a weight."""
    kv: float
    """Share of peak bandwidth at which KV cache and state are read."""
    gemm: float
    """Share of peak FLOPs of dense products in 16 bits."""
    gemm_narrow: float
    """The same in fewer bits, of that format's own peak."""
    expert_gemm: float
    """Share of peak FLOPs of grouped products over experts in 16 bits."""
    expert_gemm_narrow: float
    """The same in fewer bits, of that format's own peak."""
    expert_gemm_packed: float
    """The same, of experts with four bits a weight."""
    attention: float
    """Share of peak 16-bit FLOPs of attention."""
    layer_us: float
    """Time per layer that no arithmetic explains: kernels that start and end, norms, rotary embedding."""
    expert_layer_us: float
    """The same, per layer of a model with experts, on top: routing, sorting tokens, gathering."""
    collective_us: float
    """Least time of one collective, for each doubling of the ranks."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """All that was fitted."""

    generations: Mapping[str, Generation]
    latent_layer: float
    """Factor of `layer_us` with latent attention."""
    recurrent_layer: float
    """Factor of `layer_us` with recurrent layers."""
    host_ms: float
    """Per step, outside the layers: scheduling, sampling, preparing the inputs, sending the outputs."""
    synchronous_ms: float
    """On top, where that waits for the device."""
    sequence_us: float
    """Per decoding sequence and step."""
    synchronous_sequence_us: float
    """On top, without async scheduling."""
    early_sequence_us: float
    """On top, in early releases, with or without it."""
    link: float
    """Share of the scale-up link's rate that collectives reach."""
    first_token_ms: float
    """Outside the steps, once a request: HTTP, tokenizing, streaming the first token."""
    token_us: float
    """Per prompt token of a step, outside the arithmetic."""
    sharpness: float
    """Exponent of the smooth maximum of reading and multiplying: 1 adds them, a large one takes the longer."""
    skew: float
    """Exponent on the tokens of a step in the expected number of experts they pick: tokens of one batch pick alike."""
    rows: float
    """Rows of a grouped product that no token fills, per expert picked: the last tile of each is computed whole."""


@dataclass(frozen=True, slots=True)
class Efficiencies:
    """What one deployment reaches; the fields are those of :class:`Generation` and :class:`Fitted`, chosen and joined."""

    weights: float
    experts: float
    kv: float
    gemm: float
    expert_gemm: float
    attention: float
    layer_us: float
    expert_layer_us: float
    collective_us: float
    host_ms: float
    sequence_us: float
    link: float
    first_token_ms: float
    token_us: float
    sharpness: float
    skew: float
    rows: float


def reached(kind: Kind, fitted: Fitted) -> Efficiencies:
    """The efficiencies of a kind of deployment."""
    own = fitted.generations[kind.generation]
    layer = own.layer_us
    if kind.latent:
        layer *= fitted.latent_layer
    if kind.recurrent:
        layer *= fitted.recurrent_layer
    waits = 1.0 if kind.synchronous else 0.0
    sequence_us = fitted.sequence_us + waits * fitted.synchronous_sequence_us
    if kind.early:
        sequence_us += fitted.early_sequence_us
    grouped = {"wide": own.expert_gemm, "narrow": own.expert_gemm_narrow, "packed": own.expert_gemm_packed}
    return Efficiencies(
        weights=own.weights,
        experts=own.experts_packed if kind.experts == "packed" else own.experts,
        kv=own.kv,
        gemm=own.gemm_narrow if kind.narrow else own.gemm,
        expert_gemm=grouped[kind.experts],
        attention=own.attention,
        layer_us=layer,
        expert_layer_us=own.expert_layer_us,
        collective_us=own.collective_us,
        host_ms=fitted.host_ms + waits * fitted.synchronous_ms,
        sequence_us=sequence_us,
        link=fitted.link,
        first_token_ms=fitted.first_token_ms,
        token_us=fitted.token_us,
        sharpness=fitted.sharpness,
        skew=fitted.skew,
        rows=fitted.rows,
    )
