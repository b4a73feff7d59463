"""The whole answer: configuration, memory, verdict, compatibility, what to do and what to measure."""

from .base import Noun, Words
from .deployment import Deployment
from .finding import CompatReport
from .memory import MemoryBudget
from .observation import Observation
from .recommendation import Recommendation
from .roofline import Roofline
from .verdict import Refusal, Verdict

__all__ = ["Diagnosis", "NextRead"]


class NextRead(Noun):
    """The one text to read next, chosen by what was found."""

    title: str
    url: str
    because: str


class Diagnosis(Noun):
    """Everything one page is written from. With a standing refusal there are no recommendations."""

    deployment: Deployment
    observation: Observation
    memory: MemoryBudget | None
    roofline: Roofline
    verdict: Verdict
    compat: CompatReport
    refusals: tuple[Refusal, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    will_not_help: Words = ()
    untried: Words = ()
    """Knobs that may help, each with what is not known to turn it."""
    next_read: NextRead
    measure_next: str
