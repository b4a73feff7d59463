"""Reported faults of requests, sleep mode and the server."""

from ..rule import drop, put
from .report import ISSUE, Report

__all__ = ["REPORTS"]

REPORTS = (
    Report(("offloaded", "compiled", "latents"), ">=0.8,<0.9", "weights offloaded and latent attention compiled", "crash",
           ISSUE + "15871", (put("--enforce-eager", True),)),
    Report(("sleeping",), ">=0.11,<0.12", "sleep at level 2", "wrong output", ISSUE + "29341", (drop("--enable-sleep-mode"),)),
    Report(("sleeping", "states"), ">=0.20,<0.21", "sleep and a hybrid model", "crash", ISSUE + "41563",
           (drop("--enable-sleep-mode"),)),
    Report(("encoder data mode", "tensor ranks", "multimodal"), ">=0.27", "--mm-encoder-tp-mode data and several images", "crash",
           ISSUE + "52654", (drop("--mm-encoder-tp-mode"),)),
)  # fmt: skip
"""By release. A fault that was not reported fixed has no end."""
