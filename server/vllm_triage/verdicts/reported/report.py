"""What one row of the table of reported faults is, and the few words its rows are written in."""

from dataclasses import dataclass
from typing import Literal

from ...domain import FixStep
from ..rule import drop

__all__ = ["DROP_CACHE_DTYPE", "DROP_CHUNKS", "DROP_DRAFTS", "ISSUE", "PULL", "Outcome", "Report"]

ISSUE, PULL = "https://github.com/vllm-project/vllm/issues/", "https://github.com/vllm-project/vllm/pull/"
DROP_CHUNKS, DROP_CACHE_DTYPE, DROP_DRAFTS = drop("--enable-chunked-prefill"), drop("--kv-cache-dtype"), drop("--speculative-config")

Outcome = Literal["crash", "hang", "wrong output", "slow", "no effect"]


@dataclass(frozen=True, slots=True)
class Report:
    """One kind of fault."""

    features: tuple[str, ...]
    """What the launch must have, by name; in the order they are asked in, what it tells by itself before what needs its
    model or its device."""
    versions: str
    what: str
    """What was combined, in words that can follow "With"."""
    outcome: Outcome
    source: str
    """The public thread."""
    steps: tuple[FixStep, ...]
    """The edit that was reported to help."""
