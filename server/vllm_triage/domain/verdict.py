"""Which of the five binds, on what evidence."""

from typing import Literal

from pydantic import Field, model_validator

from .base import Json, Noun, Words
from .observation import Ignored

__all__ = [
    "BOTTLENECKS",
    "Bottleneck",
    "Evidence",
    "MeasureNext",
    "Outside",
    "Refusal",
    "RuledOut",
    "SubBound",
    "Verdict",
    "VerdictStatus",
]

Bottleneck = Literal["kv_starvation", "queue_stall", "chunked_prefill_missized", "decode_bound", "hbm_bound"]
BOTTLENECKS: tuple[Bottleneck, ...] = (
    "kv_starvation",
    "queue_stall",
    "chunked_prefill_missized",
    "decode_bound",
    "hbm_bound",
)
SubBound = Literal[
    "bandwidth", "compute", "kv_reads", "overhead", "budget_too_large", "budget_too_small", "seats", "budget", "out_of_memory"
]
Outside = Literal["client_or_upstream", "prefill_compute_bound", "interconnect", "host_overhead", "startup_failure"]
VerdictStatus = Literal["classified", "healthy", "ambiguous", "refused"]
MeasureNext = Literal["P99 ITL", "block allocation rate", "WAITING queue depth"]


class Evidence(Noun):
    """One signal held against what the bottleneck predicts."""

    signal: str
    observed: str
    expected: str
    supports: bool
    why: str
    source: str


class RuledOut(Noun):
    """A bottleneck that does not bind, and because of what."""

    bottleneck: Bottleneck
    because: str


class Refusal(Noun):
    """A house rule that stops the answer, and what would lift it."""

    rule: str
    message: str
    ask: Words = ()
    acknowledged: bool = False
    """True when the user acknowledged the rule: it stays in the answer as a warning."""


class Verdict(Noun):
    """The classification. A refused verdict names no bottleneck; a classified one names a bottleneck or an outside cause."""

    status: VerdictStatus
    bottleneck: Bottleneck | None = None
    sub_bound: SubBound | None = None
    outside: Outside | None = None
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)
    evidence: tuple[Evidence, ...] = ()
    ruled_out: tuple[RuledOut, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    missing: Words = ()
    ignored: tuple[Ignored, ...] = ()
    derived: dict[str, Json] = {}
    measure_next: str = ""
    """The one measurement to take next, naming a :data:`MeasureNext`."""

    @model_validator(mode="after")
    def _status_agrees(self) -> "Verdict":
        named = self.bottleneck is not None or self.outside is not None
        if self.status == "classified" and not named:
            raise ValueError("a classified verdict names a bottleneck or an outside cause")
        if self.status in ("refused", "healthy") and self.bottleneck is not None:
            raise ValueError(f"a {self.status} verdict names no bottleneck")
        return self
