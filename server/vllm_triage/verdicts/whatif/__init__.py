"""What a change would do: the launch as it is and as it would be, under the same traffic, through the same scheduler."""

from .caveats import caveats_of, spares_the_engine
from .figures import METRICS, difference, differences, figure
from .goals import Goal, best_of, goal_for
from .ground import Ground, ground_on
from .loads import BreakEven, Sweep
from .steps import InSteps, in_steps, in_steps_after, steps_words
from .targets import SloForecast, forecasts
from .trial import Trial, try_change, try_replicas
from .words import effect_words, shown_figure

__all__ = [
    "METRICS",
    "BreakEven",
    "Goal",
    "Ground",
    "InSteps",
    "SloForecast",
    "Sweep",
    "Trial",
    "best_of",
    "caveats_of",
    "difference",
    "differences",
    "effect_words",
    "figure",
    "forecasts",
    "goal_for",
    "ground_on",
    "in_steps",
    "in_steps_after",
    "shown_figure",
    "spares_the_engine",
    "steps_words",
    "try_change",
    "try_replicas",
]
