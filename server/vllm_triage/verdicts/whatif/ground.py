"""The launch as it is, under its traffic: what every change is held against."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ...domain import Deployment, MemoryBudget, Observation, Prediction, Workload
from ...engine.cost import CannotPredict, CostModel, cost_model
from ...engine.load import read_load
from ...engine.seats import tokens_held
from ...engine.simulation import calibrate, predict, workload_of
from ...engine.simulation.predict import AT_MOST
from .figures import METRICS, figure

__all__ = ["Ground", "Progress", "ground_on"]

Progress = Callable[[float], None]
"""Gets 0 to 1 now and then; may raise to stop the work."""

CALIBRATED_ON = 300
"""Requests of one round of calibration, at most."""

CLOSE = 1.5
"""A simulated figure further than this from the measured one says which way it goes, not how far."""


@dataclass(frozen=True, slots=True)
class Ground:
    """One deployment under one load, predicted."""

    deployment: Deployment
    memory: MemoryBudget
    workload: Workload
    cost: CostModel
    prediction: Prediction
    measured: Mapping[str, float] = field(default_factory=dict)
    """Measured figures of this very load, by metric."""
    strayed: frozenset[str] = frozenset()
    """Those of them the prediction is far from: the direction of their changes is known, not the size."""
    at_most: int = AT_MOST
    """Requests one simulation may take."""
    acceptance_length: float | None = None
    """Tokens a decode step yields with speculation, as measured."""
    notes: tuple[str, ...] = ()
    """Where the prediction is far from what was measured."""
    assumptions: tuple[str, ...] = ()
    """What the measurements were taken to say of the traffic."""

    @property
    def basis_words(self) -> str:
        """What the step times rest on, in a few words."""
        if self.cost.basis != "calibrated":
            return "not calibrated"
        if self.cost.unmet:
            return f"the nearest fit to your numbers, which contradict one another or the launch: {' and '.join(self.cost.unmet)}"
        return "calibrated on your numbers"

    def cost_of(self, deployment: Deployment, memory: MemoryBudget) -> CostModel:
        """The cost model of a changed launch, with what calibration found of this machine."""
        other = cost_model(deployment, memory)
        if self.cost.basis != "calibrated":
            return other
        found = other.refit(
            decode=self.cost.decode, prefill=self.cost.prefill, first_token_ms=self.cost.first_token_ms, fit=self.cost.fit
        )
        if {"TPOT", "throughput"} & set(self.cost.unmet):  # then its intervals are those of a prediction
            found = replace(found, bands=other.bands)
        return replace(found, unmet=self.cost.unmet)

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
    seen, taken = _as_sent(workload_of(observation), observation)
    load = workload or seen
    if load is None:
        raise CannotPredict((
            "the traffic: mean input and output length, and the concurrency or request rate (or give a workload)",
        ))  # fmt: skip
    memory, grown = _pool_seen(memory, observation)
    taken = (*taken, *grown)
    cost = cost_model(deployment, memory)
    core = not observation.missing_core()
    if seen is not None and core:
        cost = calibrate(deployment, memory, seen, observation, cost, at_most=min(at_most, CALIBRATED_ON))
    length = observation.acceptance_length
    accepted = None if length is None else length.value
    prediction = predict(
        deployment, memory, load, cost=cost, progress=progress, at_most=at_most, acceptance_length=accepted
    )
    own = workload is None and cost.basis == "calibrated"
    measured = _measured(prediction, observation) if own else {}
    strayed = frozenset(name for name, value in measured.items() if not _close(value, figure(prediction, name).mid))
    said = () if workload is not None else taken
    notes = tuple(_stray_words(name, measured[name], prediction) for name in METRICS if name in strayed)
    return Ground(deployment, memory, load, cost, prediction, measured, strayed, at_most, accepted, notes, said)


ONCE = (0.45, 0.8)
"""Share of the users found in the system, by Little's law, when all send once and none is replaced: half of them while the
queue drains in many rounds, nearly all in a single one."""

WAITED = 0.5
"""Time to the first token over that of the output, from which on requests queued rather than that a client held them back."""


def _as_sent(workload: Workload | None, observation: Observation) -> tuple[Workload | None, tuple[str, ...]]:
    """Users of whom many are missing in the system: while requests queue, they were sent at once and not replaced; else
    their client held them back, and the engine's load is those that reached it."""
    load = read_load(observation)
    if workload is None or workload.arrivals != "closed" or workload.requests is not None or workload.concurrency is None:
        return workload, ()
    known = load.in_system is not None and load.ttft_ms is not None and load.tpot_ms is not None
    if not known or load.output_tokens is None:
        return workload, ()
    share = (load.in_system or 0.0) / workload.concurrency
    queued = (load.ttft_ms or 0.0) > WAITED * (load.tpot_ms or 0.0) * load.output_tokens
    if share >= ONCE[1] or round(load.in_system or 0.0) < 1:
        return workload, ()
    if not queued:
        reach = round(load.in_system or 1.0)
        note = f"of {workload.concurrency:,} users {reach:,} are in the system by rate x stay: the load is taken to be those"
        return workload.but(concurrency=reach), (note,)
    if share <= ONCE[0]:
        return workload, ()
    note = (
        f"rate x stay is {share:.0%} of the {workload.concurrency:,} users: they are taken to have sent one request each, all at once"
    )
    return workload.but(arrivals="at_once", requests=workload.concurrency, concurrency=None), (note,)


MOST_WIDENED = 2.0
"""A predicted pool is widened to what was seen running at once by no more than this: further off, the lengths are wrong."""


def _pool_seen(memory: MemoryBudget, observation: Observation) -> tuple[MemoryBudget, tuple[str, ...]]:
    """The memory with a predicted pool no smaller than what ran in it: R sequences that hold their tokens are a measurement."""
    load, pool = read_load(observation), memory.pool
    if pool is None or pool.basis != "predicted" or not pool.tokens or load.running is None:
        return memory, ()
    if load.input_tokens is None or load.output_tokens is None or observation.prefix_hit_rate is not None:
        return memory, ()
    held = int(load.running * tokens_held(load.input_tokens, load.output_tokens) / max(1, observation.engines))
    if not pool.tokens < held < MOST_WIDENED * pool.tokens:
        return memory, ()
    blocks = None if pool.blocks is None else int(pool.blocks * held / pool.tokens)
    note = f"the pool is taken to hold the {held:,} tokens that were seen running at once, not the {pool.tokens:,} predicted"
    return memory.but(pool=pool.but(tokens=held, blocks=blocks, basis="measured")), (note,)


def _measured(prediction: Prediction, observation: Observation) -> dict[str, float]:
    """The figures that were measured and are predicted too."""
    found = {name: getattr(observation, name) for name in METRICS}
    return {
        name: float(value.value)
        for name, value in found.items() if value is not None and value.value > 0 and figure(prediction, name).mid > 0
    }  # fmt: skip


def _close(measured: float, simulated: float) -> bool:
    return 1 / CLOSE < measured / simulated < CLOSE


def _stray_words(name: str, measured: float, prediction: Prediction) -> str:
    metric, simulated = METRICS[name], figure(prediction, name).mid
    return (
        f"{metric.words} was measured at {measured:.4g} {metric.unit}, simulated at {simulated:.4g}: "
        "take the direction of its changes, not their size"
    )
