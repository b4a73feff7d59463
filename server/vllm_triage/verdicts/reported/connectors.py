"""Reported faults of KV connectors and offloading."""

from ..rule import drop
from .report import DROP_CACHE_DTYPE, ISSUE, Report

__all__ = ["REPORTS"]

REPORTS = (
    Report(("pynccl", "stages"), ">=0.7,<0.8.5", "PyNcclConnector and pipeline stages", "crash", ISSUE + "14118",
           (drop("--kv-transfer-config"),)),
    Report(("lmcache on v0", "before ampere"), ">=0.8,<0.8.5", "LMCacheConnector before Ampere", "crash",
           "https://github.com/LMCache/LMCache/issues/412", (drop("--kv-transfer-config"),)),
    Report(("fp8 cache", "nixl", "states"), ">=0.20,<0.22", "an FP8 cache moved by NIXL of a hybrid model", "wrong output",
           ISSUE + "42179", (DROP_CACHE_DTYPE,)),
    Report(("offload connector", "compressed latents"), ">=0.21,<0.22", "offloading of compressed latents", "crash",
           ISSUE + "43093", (drop("--kv-transfer-config"), drop("--kv-offloading-size"))),
    Report(("nixl", "compressed latents"), ">=0.26", "NIXL and the packed cache of compressed latents", "crash", ISSUE + "50714",
           (drop("--kv-transfer-config"),)),
)  # fmt: skip
"""By release. A fault that was not reported fixed has no end."""
