"""Reported faults of speculation."""

from ..rule import drop
from .report import DROP_CACHE_DTYPE, DROP_CHUNKS, DROP_DRAFTS, ISSUE, PULL, Report

__all__ = ["REPORTS"]

REPORTS = (
    Report(("ngram", "v0"), ">=0.6,<0.8", "n-gram drafts and requests for structured output", "crash", ISSUE + "11484", (DROP_DRAFTS,)),
    Report(("draft on several ranks", "chunks asked", "v0"), ">=0.6.4,<0.10", "a draft on several ranks and chunked prefill on V0",
           "crash", PULL + "10136", (DROP_CHUNKS,)),
    Report(("mtp", "chunks asked", "v0"), ">=0.7.3,<0.10", "MTP and chunked prefill on V0", "crash", PULL + "15153", (DROP_CHUNKS,)),
    Report(("ngram", "v1"), ">=0.8,<0.8.5", "n-gram drafts and requests for structured output", "wrong output", ISSUE + "15554",
           (DROP_DRAFTS,)),
    Report(("eagle",), ">=0.11,<0.12", "EAGLE and requests for structured output", "crash", ISSUE + "27969", (DROP_DRAFTS,)),
    Report(("speculating", "reasoning parser"), ">=0.13,<0.17", "drafts, a reasoning parser and requests for structured output",
           "wrong output", PULL + "36138", (DROP_DRAFTS,)),
    Report(("caching asked", "mtp", "mamba layers"), ">=0.19,<0.20", "prefix caching and MTP on Mamba layers", "crash",
           ISSUE + "39809", (drop("--enable-prefix-caching"),)),
    Report(("mtp", "delta attention"), ">=0.19,<0.28", "MTP on gated delta attention and long sequences", "crash",
           ISSUE + "40756", (DROP_DRAFTS,)),
    Report(("dflash", "states"), ">=0.20,<0.21", "DFlash and a hybrid model", "crash", ISSUE + "46480", (DROP_DRAFTS,)),
    Report(("fp8 cache", "mtp", "connector", "latents"), ">=0.21,<0.23", "an FP8 cache of latents, MTP and a KV connector", "crash",
           ISSUE + "44184", (DROP_CACHE_DTYPE,)),
    Report(("offload connector", "caching asked", "mtp", "states"), ">=0.25,<0.28", "offloading, prefix caching and MTP on a hybrid",
           "crash", ISSUE + "50454", (drop("--kv-transfer-config"), drop("--kv-offloading-size"))),
    Report(("offload connector", "mtp"), ">=0.26", "offloading to several tiers and MTP", "crash", ISSUE + "55503", (DROP_DRAFTS,)),
    Report(("sleeping", "eagle", "compiled"), ">=0.26", "sleep at level 2 and EAGLE in graphs", "crash", ISSUE + "55013",
           (drop("--enable-sleep-mode"),)),
)  # fmt: skip
"""By release. A fault that was not reported fixed has no end."""
