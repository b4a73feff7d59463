"""How far real servers stay from the peak rates, as published measurements show it.

Floors are computed at peak rates, so nothing true lies below them. What a healthy server reaches is a band above the
floor; the bands here come from 1,328 published vLLM results (AIConfigurator's silicon samples, vLLM 0.11 to 0.19) and
the GPUStack performance lab (vLLM 0.11), not from a model of the hardware. Bands of devices in neither are marked
assumed.
"""

from dataclasses import dataclass

from ..domain import Accelerator, ModelShape

__all__ = [
    "COLLECTIVE_LATENCY_MS",
    "DECODE_BANDS",
    "FIRST_TOKEN_CONSTANT_MS",
    "GEMM_SHARES",
    "OUTPUT_SHARE_HELD",
    "Band",
    "decode_band",
    "gemm_share",
]


@dataclass(frozen=True, slots=True)
class Band:
    """A measured range with where it was measured."""

    low: float
    mid: float
    high: float
    source: str


DECODE_BANDS: dict[str, Band] = {
    "dense": Band(1.3, 1.8, 2.5, "silicon samples: dense 70B FP8 and 32B BF16 on H100/H200, 1.37-2.3; Qwen3-8B 1.49"),
    "moe": Band(3.0, 5.0, 9.0, "silicon samples: gpt-oss-120b, MiniMax-M2.5 and Kimi-K2.5, 4-9 times the floor"),
    "blackwell": Band(1.3, 3.0, 4.1, "silicon samples: dense models on B200, 2.7-4.1 times the floor"),
}
"""Measured time per output token over the floor (weights and KV bytes at peak bandwidth), concurrency 8 or less."""

GEMM_SHARES: dict[str, Band] = {
    "dense-ampere": Band(0.51, 0.60, 0.73, "GPUStack: P99 ITL of Qwen3-14B/32B on A100 under mixed load"),
    "dense-hopper": Band(0.37, 0.38, 0.39, "GPUStack: P99 ITL of Qwen3-14B/32B on H100 under mixed load"),
    "dense": Band(0.30, 0.45, 0.73, "assumed: spans the two measured generations"),
    "moe": Band(0.10, 0.15, 0.20, "GPUStack: P99 ITL of mixture-of-experts models under mixed load"),
}
"""Share of peak FLOPs that a step full of prompt tokens reaches."""

FIRST_TOKEN_CONSTANT_MS = Band(30.0, 45.0, 60.0, "silicon samples: TTFT at low concurrency less the prefill floor")
"""Time to first token that no arithmetic explains: tokenizing, HTTP, scheduling, sampling, detokenizing."""

COLLECTIVE_LATENCY_MS = 0.003
"""Least time of one operation over the scale-up link (AIConfigurator's constant of 3 us)."""

OUTPUT_SHARE_HELD = 0.75
"""Share of the output a running request holds in KV cache, on average, while the pool is full: requests near
their end hold all of it and are over-represented when nothing new is admitted (facts of the gold cases G1-G4)."""


def decode_band(gpu: Accelerator | None, model: ModelShape | None) -> Band:
    """The band measured decode steps lie in, as a multiple of the floor."""
    if model is not None and model.moe is not None:
        return DECODE_BANDS["moe"]
    if gpu is not None and gpu.arch.lower().startswith("blackwell"):
        return DECODE_BANDS["blackwell"]
    return DECODE_BANDS["dense"]


def gemm_share(gpu: Accelerator | None, model: ModelShape | None) -> Band:
    """The share of peak FLOPs a prefill step reaches."""
    if model is not None and model.moe is not None:
        return GEMM_SHARES["moe"]
    arch = "" if gpu is None else gpu.arch.lower()
    return GEMM_SHARES.get(f"dense-{arch}", GEMM_SHARES["dense"])
