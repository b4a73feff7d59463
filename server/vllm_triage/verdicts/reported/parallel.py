"""Reported faults of ranks, stages and nodes."""

from ..rule import drop
from .report import ISSUE, Report

__all__ = ["REPORTS"]

REPORTS = (
    Report(("stages", "multimodal"), ">=0.8,<0.9", "pipeline stages of a multimodal model", "crash", ISSUE + "17351",
           (drop("--pipeline-parallel-size"),)),
    Report(("stages", "nodes"), ">=0.18,<0.19", "pipeline stages over several nodes", "crash", ISSUE + "37933", ()),
    Report(("stages", "nodes", "multimodal"), ">=0.20,<0.22", "pipeline stages of a multimodal model over several nodes", "crash",
           ISSUE + "43271", ()),
    Report(("context ranks", "latents"), ">=0.21", "decode context ranks of latents over long requests",
           "wrong output", ISSUE + "41623", (drop("--decode-context-parallel-size"),)),
    Report(("context ranks", "latents", "blackwell"), ">=0.26", "context ranks and FlashInfer's latent attention", "crash",
           ISSUE + "50781", (drop("--decode-context-parallel-size"),)),
)  # fmt: skip
"""By release. A fault that was not reported fixed has no end."""
