"""Which configurations serve a model to so many users within an SLO: enumerated, sized, checked, simulated, ranked."""

from .demand import Demand, demand_of, sampled
from .fleet import Fleet, Fleets, read_fleets
from .plan import Plan, Scale, plan
from .prospects import Ask
from .targets import METRICS, Outcome, Target, targets_of
from .trials import Trial

__all__ = [
    "METRICS", "Ask", "Demand", "Fleet", "Fleets", "Outcome", "Plan", "Scale", "Target", "Trial", "demand_of", "plan",
    "read_fleets", "sampled", "targets_of",
]  # fmt: skip
