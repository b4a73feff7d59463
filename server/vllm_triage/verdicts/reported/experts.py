"""Reported faults of mixtures of experts: their kernels, their ranks and what is exchanged."""

from ..rule import drop, drop_env, put
from .report import ISSUE, PULL, Report

__all__ = ["REPORTS"]

REPORTS = (
    Report(("deepep", "data ranks", "expert ranks"), ">=0.9,<0.10.1", "DeepEP between data-parallel ranks", "hang",
           ISSUE + "21306", (drop_env("VLLM_ALL2ALL_BACKEND"),)),
    Report(("pplx", "data ranks", "expert ranks"), ">=0.10,<0.12", "pplx between data-parallel ranks", "hang", ISSUE + "27209",
           (drop_env("VLLM_ALL2ALL_BACKEND"),)),
    Report(("flashinfer experts fp8", "blocks of fp8", "experts"), ">=0.10.1,<0.12", "FlashInfer's FP8 experts for throughput", "crash",
           ISSUE + "24109", (drop_env("VLLM_USE_FLASHINFER_MOE_FP8"),)),
    Report(("balanced experts", "deepep"), ">=0.11,<0.12", "balanced experts over DeepEP", "wrong output", PULL + "28377",
           (drop("--enable-eplb"),)),
    Report(("balanced experts", "multimodal", "experts"), ">=0.14,<0.15", "balanced experts of a multimodal model", "crash",
           PULL + "32565", (drop("--enable-eplb"),)),
    Report(("budget of 16k", "expert ranks", "blocks of fp8", "hopper"), ">=0.15,<0.16", "FP8 experts and steps of 16,384 tokens",
           "crash", ISSUE + "34249", (put("--max-num-batched-tokens", 8192),)),
    Report(("flashinfer experts fp16", "mamba layers", "experts"), ">=0.15,<0.17", "FlashInfer's 16-bit experts without a gate", "crash",
           PULL + "36146", (drop_env("VLLM_USE_FLASHINFER_MOE_FP16"),)),
    Report(("deepep low latency", "expert ranks", "compressed latents"), ">=0.21,<0.23",
           "DeepEP's low-latency exchange and compressed latents", "crash", ISSUE + "43596", (drop("--all2all-backend"),)),
    Report(("b12x experts", "small blackwell"), ">=0.25", "b12x experts, whose workspace is not planned for", "crash", ISSUE + "49476",
           (drop("--moe-backend"),)),
    Report(("deepep v2", "eager", "expert ranks", "sixteen bits", "blackwell"), ">=0.26,<0.28",
           "DeepEP's second version, eager mode and 16-bit experts", "crash", PULL + "51824", (drop("--enforce-eager"),)),
    Report(("microbatches", "deepep v2"), ">=0.26", "dual-batch overlap over DeepEP's second version", "crash", PULL + "52176",
           (drop("--enable-dbo"),)),
    Report(("sixteen bits", "odd experts", "blackwell"), ">=0.26", "16-bit experts that are not whole 128s", "hang", PULL + "51492",
           (put("--moe-backend", "triton"),)),
    Report(("deepep v2", "compiled", "expert ranks"), ">=0.27", "DeepEP's second version in graphs", "crash", ISSUE + "52894",
           (put("--enforce-eager", True),)),
    Report(("balanced experts", "balanced over nixl"), ">=0.29", "experts balanced over NIXL", "no effect", ISSUE + "57883",
           (drop("--eplb-config"),)),
)  # fmt: skip
"""By release. A fault that was not reported fixed has no end."""
