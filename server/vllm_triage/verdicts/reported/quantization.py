"""Reported faults of quantized weights and their devices."""

from ..rule import drop, put, set_env
from .report import ISSUE, PULL, Report

__all__ = ["REPORTS"]

REPORTS = (
    Report(("experts by wna16", "latents"), ">=0.7.1,<0.7.2", "--quantization moe_wna16 and latent attention", "crash", ISSUE + "12647",
           (drop("--quantization"),)),
    Report(("amd", "experts", "fp8 by channels"), ">=0.8.3,<0.9", "FP8 experts of compressed-tensors on AMD", "crash",
           ISSUE + "16474", ()),
    Report(("experts", "awq or gptq", "odd expert shards"), ">=0.8.5,<0.10", "4-bit experts whose share is not whole 128s", "crash",
           ISSUE + "17604", (put("--enable-expert-parallel", True),)),
    Report(("nvfp4", "experts", "small blackwell"), ">=0.15,<0.16", "NVFP4 experts on compute capability 12", "crash",
           ISSUE + "33416", ()),
    Report(("nvfp4", "experts", "small blackwell"), ">=0.16,<0.19", "NVFP4 experts on capability 12", "crash", PULL + "38423", ()),
    Report(("nvfp4", "experts", "mamba layers", "small blackwell"), ">=0.22,<0.23", "NVFP4 experts and Mamba layers on capability 12",
           "crash", ISSUE + "44022", ()),
    Report(("nvfp4", "compressed latents", "small blackwell"), ">=0.22,<0.24", "NVFP4 experts with a clamp on capability 12", "crash",
           PULL + "46492", ()),
    Report(("blocks of fp8", "deep gemm", "small blackwell"), ">=0.24,<0.25", "FP8 blocks multiplied by DeepGEMM on capability 12",
           "crash", ISSUE + "47130", (set_env("VLLM_USE_DEEP_GEMM", "0"),)),
    Report(("blocks of fp8", "compiled", "delta attention", "hopper"), ">=0.25,<0.26", "FP8 blocks and gated delta attention in graphs",
           "crash", ISSUE + "49311", (put("--enforce-eager", True),)),
    Report(("blocks of fp8", "deep gemm", "grace hopper"), ">=0.25", "FP8 blocks multiplied by DeepGEMM on Grace Hopper", "crash",
           PULL + "49183", (set_env("VLLM_USE_DEEP_GEMM", "0"),)),
    Report(("blocks of fp8", "deep gemm", "small blackwell"), ">=0.27,<0.28", "FP8 blocks multiplied by DeepGEMM on capability 12",
           "crash", ISSUE + "51884", (set_env("VLLM_USE_DEEP_GEMM", "0"),)),
)  # fmt: skip
"""By release. A fault that was not reported fixed has no end."""
