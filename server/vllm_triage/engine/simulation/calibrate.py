"""The cost model made to meet a measured point: how slow this server's decode, prefill and front end really are.

The unknowns are three: by what factor decoding and prompts take longer than predicted, and the front end's time. The
measurements are one or two (TPOT, TTFT), each the outcome of a whole simulation. Where they do not pin the three down,
the unknowns move as little as possible for how uncertain each is. A few rounds of Gauss-Newton on logarithms do it: the
first slopes are estimated from what the steps consist of, and corrected by what each simulation shows (Broyden).
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import exp, log

from ...domain import Deployment, MemoryBudget, Observation, Prediction, Workload
from ..cost import Bands, CostModel, cost_model
from ..load import read_load
from .least_surprise import least_surprise
from .predict import predict

__all__ = ["calibrate"]

ROUNDS = 5
CLOSE = 0.01
"""Relative difference that is close enough."""

TRUST = {"TPOT": 0.01, "TTFT": 0.04}
"""Standard deviation of the logarithm of each measurement. TTFT is trusted less: it depends on how users come together,
which a mean does not tell. Both are small beside the doubts, so that both are met where that is possible."""

POOR = 0.15
"""Difference of logarithms from which on the measurement is not explained: the bands stay those of a prediction."""

CONTRADICTED = 0.3
"""The same for throughput, which is not fitted: how a benchmark starts and ends moves it by more."""

_REQUESTS = 400
_FARTHEST = log(8.0)
"""Logarithm of the largest factor: a server further off is not the one described."""
_LONGEST_STEP = 0.8

DOUBT = (0.3, 0.35, 0.6)
"""How uncertain decode, prefill and front end are before a measurement, as standard deviations of their logarithms."""


@dataclass(frozen=True, slots=True)
class _Target:
    """What was measured, by the name it is told under; ms."""

    values: tuple[tuple[str, float], ...]
    ttft_is_median: bool
    output_tok_s: float | None

    @property
    def trust(self) -> list[float]:
        """How far each may be off."""
        return [TRUST[name] for name, _ in self.values]

    def off(self, seen: Prediction) -> dict[str, float]:
        """Logarithm of what each simulated figure is off by."""
        pairs = zip(self.values, self.simulated(seen), strict=True)
        return {name: abs(log(model / real)) for (name, real), model in pairs}

    def unmet(self, seen: Prediction) -> tuple[str, ...]:
        """The figures a simulation does not come near."""
        told = tuple(name for name, off in self.off(seen).items() if off > POOR)
        model, real = seen.output_tok_s.mid, self.output_tok_s
        contradicted = bool(real) and (model <= 0 or abs(log(model / (real or 1.0))) > CONTRADICTED)
        return (*told, "throughput") if contradicted else told

    def simulated(self, seen: Prediction) -> list[float]:
        """The simulated figures of the same names."""
        ttft = seen.ttft_ms.p50 if self.ttft_is_median else seen.ttft_ms.mean
        figures = {"TPOT": seen.tpot_ms.mean.mid, "TTFT": ttft.mid}
        return [max(figures[name], 1e-9) for name, _ in self.values]


def calibrate(
    deployment: Deployment,
    memory: MemoryBudget,
    workload: Workload,
    observation: Observation,
    cost: CostModel | None = None,
    *,
    at_most: int = _REQUESTS,
) -> CostModel:
    """Refit a cost model to a measured point.

    Args:
        deployment: the launch.
        memory: its memory model, with the measured pool where there is one.
        workload: the traffic the point was measured under.
        observation: the measurements; those that are missing are left out.
        cost: the model to start from; None: the predicted one.
        at_most: requests of each round's simulation, where the workload does not say how many are sent.

    Returns:
        The refitted model, whose `fit` says how far what it gives is from what was measured; the model it started from
        where neither TPOT nor TTFT can be told from the measurements.

    Raises:
        CannotPredict: the device, the model, the pool or a setting is not known.
    """
    costs = cost if cost is not None else cost_model(deployment, memory, observation.engines)
    target = _target(observation, workload)
    if not target.values:
        return costs
    accepted = None if observation.acceptance_length is None else observation.acceptance_length.value
    at = [0.0, 0.0, 0.0]
    slopes: list[list[float]] = []
    best: tuple[float, CostModel, Prediction] | None = None
    before: tuple[list[float], list[float]] | None = None
    for _ in range(ROUNDS):
        tried = costs.refit(decode=exp(at[0]), prefill=exp(at[1]), first_token_ms=costs.first_token_ms * exp(at[2]))
        seen = predict(deployment, memory, workload, cost=tried, at_most=at_most, acceptance_length=accepted)
        figures = target.simulated(seen)
        short = [log(real / figure) for (_, real), figure in zip(target.values, figures, strict=True)]
        off = max(abs(missing) * TRUST["TPOT"] / trust for missing, trust in zip(short, target.trust, strict=True))
        if best is None or off < best[0]:
            best = off, tried, seen
        if off <= CLOSE:
            break
        if before is None:
            slopes = _slopes(target, seen, tried, workload)
        else:
            _correct(slopes, before, at, figures)
        before = list(at), figures
        step = least_surprise(slopes, short, target.trust, at, DOUBT)
        longest = max(1.0, max(map(abs, step)) / _LONGEST_STEP)
        at = [max(-_FARTHEST, min(_FARTHEST, old + move / longest)) for old, move in zip(at, step, strict=True)]
    assert best is not None  # noqa: S101 - there was a round
    _, found, seen = best
    unmet = target.unmet(seen)
    bands = _bands(costs.bands, found.bands, {name for name, _ in target.values}, unmet)
    return replace(found, fit=_words(target, seen, unmet), unmet=unmet, bands=bands)


def _bands(predicted: Bands, calibrated: Bands, given: Collection[str], unmet: Collection[str]) -> Bands:
    """The bands of calibration, but for what the measurement does not pin down or the model does not meet."""
    if "TPOT" not in given or "TPOT" in unmet or "throughput" in unmet:
        return predicted
    if "TTFT" not in given or "TTFT" in unmet:
        return replace(calibrated, ttft=predicted.ttft)
    return calibrated


def _target(observation: Observation, workload: Workload) -> _Target:
    load = read_load(observation)
    tpot = load.tpot_ms
    if tpot is None and workload.arrivals == "closed" and load.output_tok_s and load.ttft_ms and load.output_tokens:
        # users / (requests a second) is how long a request stays, by Little's law
        stay = 1000 * (workload.concurrency or 1) * load.output_tokens / load.output_tok_s
        tpot = (stay - load.ttft_ms) / max(1.0, load.output_tokens - 1)
    values = [(name, value) for name, value in (("TPOT", tpot), ("TTFT", load.ttft_ms)) if value and value > 0]
    return _Target(tuple(values), observation.ttft_ms_mean is None, load.output_tok_s)


def _slopes(target: _Target, seen: Prediction, costs: CostModel, workload: Workload) -> list[list[float]]:
    """How each figure answers to each unknown, both as logarithms: the share of its time the unknown stands for."""
    decoding = max(1, round(seen.running))
    context = round(decoding * (workload.input.mean + workload.output.mean / 2))
    alone = costs.stretch_ms(decoding, context, 0.0, 1)
    mixed = costs.step_ms(decoding, context, [(max(1, round(workload.input.mean)), 0)])
    tpot, ttft = (max(figure.mean.mid, 1e-9) for figure in (seen.tpot_ms, seen.ttft_ms))
    in_gap = min(1.0, max(0.1, alone / tpot))
    front = min(1.0, costs.first_token_ms / ttft)
    in_step = min(1.0, alone / max(mixed, 1e-9))
    rows = {
        "TPOT": [in_gap, 1 - in_gap, 0.0],
        "TTFT": [(1 - front) * in_step, (1 - front) * (1 - in_step), front],
    }
    return [rows[name] for name, _ in target.values]


def _correct(
    slopes: list[list[float]], before: tuple[list[float], list[float]], at: list[float], figures: list[float]
) -> None:
    """Make the slopes agree with what the last move did (Broyden's update)."""
    moved = [new - old for new, old in zip(at, before[0], strict=True)]
    length = sum(move * move for move in moved)
    if length < 1e-12:
        return
    for row, old, new in zip(slopes, before[1], figures, strict=True):
        missing = log(new / old) - sum(slope * move for slope, move in zip(row, moved, strict=True))
        for place, move in enumerate(moved):
            row[place] += missing * move / length


def _words(target: _Target, seen: Prediction, unmet: tuple[str, ...]) -> str:
    """How well the refitted model meets the measured point."""
    pairs = zip(target.values, target.simulated(seen), strict=True)
    said = [f"{name} {model:.4g} ms ({real:.4g} measured, {model / real - 1:+.0%})" for (name, real), model in pairs]
    if target.output_tok_s is not None:
        model, real = seen.output_tok_s.mid, target.output_tok_s
        said.append(f"output {model:,.0f} tok/s ({real:,.0f} measured, {model / real - 1:+.0%})")
    how = "calibrated on your numbers"
    if unmet:
        how = f"the nearest fit to your numbers ({' and '.join(unmet)} cannot be met under this traffic)"
    return f"{how}: " + ", ".join(said)
