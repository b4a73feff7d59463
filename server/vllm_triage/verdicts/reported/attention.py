"""Reported faults of attention backends and their devices."""

from ..rule import drop_env, set_env
from .report import ISSUE, Report

__all__ = ["REPORTS"]

REPORTS = (
    Report(("flashinfer asked", "before ampere"), "<0.11", "FlashInfer asked for before Ampere", "crash", ISSUE + "8189",
           (drop_env("VLLM_ATTENTION_BACKEND"),)),
    Report(("aiter", "aiter fp8 products", "data ranks", "amd", "latents"), ">=0.26,<0.29",
           "AITER's FP8 products and data-parallel attention", "crash", ISSUE + "51957",
           (set_env("VLLM_ROCM_USE_AITER_FP8BMM", "0"),)),
)  # fmt: skip
"""By release. A fault that was not reported fixed has no end."""
