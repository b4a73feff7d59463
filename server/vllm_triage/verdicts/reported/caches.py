"""Reported faults of the KV cache: its type, prefix caching, what is swapped or kept."""

from ..rule import drop
from .report import DROP_CACHE_DTYPE, ISSUE, Report

__all__ = ["REPORTS"]

REPORTS = (
    Report(("no swap", "v0"), "<0.9", "no swap space, when a request of several sequences is preempted", "crash", ISSUE + "546",
           (drop("--swap-space"),)),
    Report(("fp8 cache", "chunks asked", "v0", "before ada"), "<0.11", "an FP8 cache and chunked prefill on V0 before Ada",
           "crash", ISSUE + "7714", (DROP_CACHE_DTYPE,)),
    Report(("caching asked", "volta"), "<0.7", "prefix caching before Turing", "crash", ISSUE + "3944",
           (drop("--enable-prefix-caching"),)),
    Report(("fp8 cache", "v1"), ">=0.7,<0.8", "an FP8 cache on the first V1 engine", "wrong output", ISSUE + "13133", (DROP_CACHE_DTYPE,)),
    Report(("caching asked", "chunks refused", "latents"), ">=0.7.2,<0.8", "prefix caching of latents without chunked prefill",
           "crash", ISSUE + "14069", (drop("--enable-prefix-caching"),)),
    Report(("fp8 cache", "v1", "hopper"), ">=0.8.2,<0.9", "an FP8 cache read by FlashAttention 3 on V1", "crash",
           ISSUE + "17442", (DROP_CACHE_DTYPE,)),
    Report(("sleeping", "fp8 cache"), ">=0.10.2,<0.11", "sleep at level 2 and an FP8 cache", "wrong output", ISSUE + "25800",
           (DROP_CACHE_DTYPE,)),
    Report(("fp8 cache", "flashinfer asked", "hopper"), ">=0.11,<0.12", "an FP8 cache and FlashInfer on Hopper", "crash",
           ISSUE + "27604", (DROP_CACHE_DTYPE,)),
    Report(("caching asked", "delta attention"), ">=0.17", "prefix caching and gated delta attention", "no effect",
           ISSUE + "51198", ()),
    Report(("e5m2 cache", "multimodal"), ">=0.19", "an FP8 cache in e5m2 of a multimodal model", "wrong output", ISSUE + "41343",
           (DROP_CACHE_DTYPE,)),
    Report(("fp8 cache", "amd", "blocks of mx", "experts"), ">=0.22,<0.23", "an FP8 cache and MX weights on AMD", "wrong output",
           ISSUE + "45562", (DROP_CACHE_DTYPE,)),
    Report(("bf16 cache", "sparse latents"), ">=0.22,<0.23", "a 16-bit cache of sparse latents", "wrong output", ISSUE + "44550",
           (DROP_CACHE_DTYPE,)),
    Report(("turboquant", "states"), ">=0.25,<0.27", "a TurboQuant cache on a hybrid model", "crash", ISSUE + "50709", (DROP_CACHE_DTYPE,)),
    Report(("fp8 cache", "nvfp4", "multimodal", "blackwell"), ">=0.26,<0.27", "an FP8 cache and NVFP4 weights of a multimodal model",
           "crash", ISSUE + "51828", (DROP_CACHE_DTYPE,)),
    Report(("all states kept", "caching asked", "cpu", "states"), ">=0.28", "all states kept for prefix caching on a CPU", "crash",
           ISSUE + "54504", (drop("--mamba-cache-mode"),)),
)  # fmt: skip
"""By release. A fault that was not reported fixed has no end."""
