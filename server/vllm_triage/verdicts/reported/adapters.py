"""Reported faults with LoRA adapters."""

from ..rule import drop
from .report import DROP_DRAFTS, ISSUE, PULL, Report

__all__ = ["REPORTS"]

REPORTS = (
    Report(("adapters", "offloaded"), "<0.7", "adapters and weights offloaded", "crash", ISSUE + "11748", (drop("--cpu-offload-gb"),)),
    Report(("adapters", "ngram"), ">=0.9,<0.11", "adapters and n-gram speculation", "crash", ISSUE + "20284", (DROP_DRAFTS,)),
    Report(("adapters sharded", "tensor ranks", "v1"), ">=0.9,<0.10.1", "adapters sharded in full on V1", "crash",
           ISSUE + "20944", (drop("--fully-sharded-loras"),)),
    Report(("adapters", "small blackwell"), ">=0.9,<0.10", "adapters on capability 12", "crash", ISSUE + "19693",
           (drop("--enable-lora"),)),
    Report(("adapters", "multimodal"), ">=0.11,<0.12", "adapters of a multimodal model", "crash", ISSUE + "28093",
           (drop("--enable-lora"),)),
    Report(("adapters", "bitsandbytes", "tensor ranks", "experts"), ">=0.11.1,<0.14",
           "adapters on experts quantized by bitsandbytes over several ranks", "crash", ISSUE + "29138",
           (drop("--tensor-parallel-size"),)),
    Report(("adapters", "experts", "quantized"), ">=0.11.1,<0.12", "adapters and quantized experts", "crash", PULL + "29376",
           (drop("--enable-lora"),)),
    Report(("adapters", "tensor ranks", "experts"), ">=0.12,<0.13", "adapters on a mixture of experts over several ranks", "crash",
           ISSUE + "30461", (drop("--enable-lora"),)),
    Report(("adapters", "experts"), ">=0.12,<0.13", "adapters and experts", "crash", ISSUE + "30461", (drop("--enable-lora"),)),
    Report(("adapters", "delta attention", "experts"), ">=0.16,<0.18", "adapters on a hybrid mixture of experts", "crash",
           ISSUE + "35286", (drop("--enable-lora"),)),
    Report(("sleeping", "adapters"), ">=0.17", "sleep and adapters", "wrong output", ISSUE + "39934", (drop("--enable-sleep-mode"),)),
)  # fmt: skip
"""By release. A fault that was not reported fixed has no end."""
