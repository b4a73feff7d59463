"""The launch as it is, under its traffic: what every change is held against."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ...domain import Deployment, MemoryBudget, Observation, Prediction, Workload
from ...engine.cost import CannotPredict, CostModel, cost_model
from ...engine.simulation import calibrate, predict, workload_of
from ...engine.simulation.predict import AT_MOST
from .figures import METRICS, figure

__all__ = ["Ground", "Progress", "ground_on"]

Progress = Callable[[float], None]
"""Gets 0 to 1 now and then; may raise to stop the work."""

CLOSE = 1.5
"""A simulated figure further than this from the measured one is not put in its place."""


@dataclass(frozen=True, slots=True)
class Ground:
    """One deployment under one load, predicted."""

    deployment: Deployment
    memory: MemoryBudget
    workload: Workload
    cost: CostModel
    prediction: Prediction
    measured: Mapping[str, float] = field(default_factory=dict)
    """Measured figures of this very load that the prediction comes near to, by metric."""
    at_most: int = AT_MOST
    """Requests one simulation may take."""
    acceptance_length: float | None = None
    """Tokens a decode step yields with speculation, as measured."""
    notes: tuple[str, ...] = ()
    """What to know of the prediction beside its own assumptions."""

    def cost_of(self, deployment: Deployment, memory: MemoryBudget) -> CostModel:
        """The cost model of a changed launch, with what calibration found of this machine."""
        other = cost_model(deployment, memory)
        if self.cost.basis != "calibrated":
            return other
        return other.refit(
            decode=self.cost.decode, prefill=self.cost.prefill, first_token_ms=self.cost.first_token_ms, fit=self.cost.fit
        )

    def predict(
        self, deployment: Deployment, memory: MemoryBudget, cost: CostModel, progress: Progress | None = None
    ) -> Prediction:
        """Another launch under the same traffic, seed and number of requests.

        Raises:
            CannotPredict: the launch cannot be simulated.
        """
        return predict(
            deployment, memory, self.workload, cost=cost, progress=progress, at_most=self.at_most,
            acceptance_length=self.acceptance_length,
        )  # fmt: skip


def ground_on(
    deployment: Deployment,
    memory: MemoryBudget,
    observation: Observation,
    workload: Workload | None = None,
    *,
    at_most: int = AT_MOST,
    progress: Progress | None = None,
) -> Ground:
    """Predict the launch as it is, calibrated on what was measured where that is enough to calibrate on.

    Args:
        deployment: the launch.
        memory: its memory, measured or predicted.
        observation: what was measured of it.
        workload: the traffic to predict for; None for the traffic the measurements describe.
        at_most: requests to simulate at most, where the traffic does not say how many there are.
        progress: told how far the prediction is.

    Raises:
        CannotPredict: naming what is missing.
    """
    seen = workload_of(observation)
    load = workload or seen
    if load is None:
        raise CannotPredict((
            "the traffic: mean input and output length, and the concurrency or request rate (or give a workload)",
        ))  # fmt: skip
    cost = cost_model(deployment, memory)
    core = not observation.missing_core()
    if seen is not None and core:
        cost = calibrate(deployment, memory, seen, observation, cost)
    length = observation.acceptance_length
    accepted = None if length is None else length.value
    prediction = predict(
        deployment, memory, load, cost=cost, progress=progress, at_most=at_most, acceptance_length=accepted
    )
    own = workload is None and cost.basis == "calibrated"
    measured, notes = _near(prediction, observation) if own else ({}, ())
    return Ground(deployment, memory, load, cost, prediction, measured, at_most, accepted, notes)


def _near(prediction: Prediction, observation: Observation) -> tuple[dict[str, float], tuple[str, ...]]:
    """Measured figures the prediction comes near to, and a word on those it does not."""
    near: dict[str, float] = {}
    notes: list[str] = []
    for name, metric in METRICS.items():
        found, simulated = getattr(observation, name), figure(prediction, name).mid
        if found is None or found.value <= 0 or simulated <= 0:
            continue
        if 1 / CLOSE < found.value / simulated < CLOSE:
            near[name] = found.value
        else:
            notes.append(
                f"{metric.words} was measured at {found.value:.4g} {metric.unit}, simulated at {simulated:.4g}: "
                "take the direction of its changes, not their size"
            )
    return near, tuple(notes)
