"""The shape of one class's judgement, and the words evidence is written in.

Each class answers on two grounds: arithmetic (Little's law against the seats and floors) and gauges. Gauges outrank
arithmetic, since arithmetic stands on predictions; together they are sure.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ...domain import Evidence
from ...domain.verdict import Bottleneck, MeasureNext, Outside, SubBound

__all__ = ["GAUGES", "Case", "note", "sureness", "tell"]

BOTH, GAUGES, GAUGES_AGAINST_ARITHMETIC = 0.92, 0.85, 0.70
ARITHMETIC_FIRM, ARITHMETIC = 0.80, 0.70


@dataclass(frozen=True, slots=True)
class Case:
    """One class held against the signals."""

    bottleneck: Bottleneck | None
    confidence: float
    evidence: Callable[[], tuple[Evidence, ...]]
    """The signals held against the class. Written only for the class that is answered."""
    against: Callable[[], str]
    """Why it does not bind, in one clause; for the ruled-out list."""
    measure: MeasureNext
    sub: SubBound | None = None
    outside: Outside | None = None


def sureness(arithmetic: bool | None, gauges: bool | None, firm: bool) -> float:
    """Confidence from the two grounds: True confirms, False refutes, None does not say.

    Calibrated on the gold, captured and public cases: arithmetic alone on a predicted pool is right there but never
    called sure; a refuting gauge ends the matter.
    """
    if gauges is False or (gauges is None and not arithmetic):
        return 0.0
    if gauges is None:
        return ARITHMETIC_FIRM if firm else ARITHMETIC
    if arithmetic is None:
        return GAUGES
    return BOTH if arithmetic else GAUGES_AGAINST_ARITHMETIC


def note(
    signal: str, observed: str, expected: str, supports: bool, why: str, source: str
) -> Evidence:
    """One signal held against what a class predicts."""
    return Evidence(signal=signal, observed=observed, expected=expected, supports=supports, why=why, source=source)


def tell(value: float | None, unit: str = "") -> str:
    """A number with as many digits as it carries; "not known" for None."""
    if value is None:
        return "not known"
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{text} {unit}".rstrip()
