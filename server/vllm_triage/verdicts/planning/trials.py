"""A configuration put on the simulator, and held against what is wanted."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from ...domain import Interval, Latency, Prediction, Workload
from ...engine.cost import CostModel
from ...engine.simulation import predict
from ...engine.simulation.share import share_of
from .demand import Demand
from .launches import Launch
from .outlook import capacity
from .targets import Met, Outcome, Target, bound_waiting, judge, worst

__all__ = ["AT_MOST", "Predict", "Trial", "trial"]

AT_MOST = 300
"""Requests simulated for one configuration, where the traffic does not say how many it sends: enough to tell
configurations apart, well inside the intervals."""

BEYOND = 2
"""Times what a server can take beyond which more traffic changes nothing but the queue: so much is simulated at most."""

FEWEST_USERS = 1024

WAITING = 0.15
"""Share of the users that may wait where no target bounds waiting: what prompts of others keep waiting."""

Predict = Callable[..., Prediction]


@dataclass(frozen=True, slots=True)
class Trial:
    """One configuration with its prediction."""

    launch: Launch
    prediction: Prediction = field(hash=False)
    outcomes: tuple[Outcome, ...]
    met: Met
    cost: CostModel = field(hash=False, compare=False)
    demand: Demand
    crowded: bool = False
    """True when requests wait that no target speaks of: so many users are not served."""

    @property
    def price(self) -> float | None:
        """Of an hour of all its GPUs."""
        each = self.launch.fleet.price
        return None if each is None else each * self.launch.gpus

    @property
    def room(self) -> float:
        """Least room left over all targets; without targets, how quick a token is. A crowd that waits is short of room."""
        least = min((outcome.room for outcome in self.outcomes), default=-self.prediction.tpot_ms.mean.mid)
        if not self.crowded:
            return least
        return min(0.0, least) - self.prediction.waiting / max(1.0, self.prediction.running)

    @property
    def limiting(self) -> Outcome | None:
        """The target it meets worst; None without targets."""
        return min(self.outcomes, key=lambda outcome: (-outcome.short_by, outcome.room), default=None)

    def per_million(self, tokens_per_s: Interval) -> Interval | None:
        """Price of a million tokens at that rate."""
        if self.price is None:
            return None
        cost = {name: self.price / 3600 * 1e6 / rate if (rate := getattr(tokens_per_s, name)) else inf
                for name in ("low", "mid", "high")}  # fmt: skip
        return Interval(low=cost["high"], mid=cost["mid"], high=cost["low"])


def trial(
    launch: Launch,
    cost: CostModel,
    workload: Workload,
    demand: Demand,
    targets: tuple[Target, ...],
    *,
    simulate: Predict | None = None,
    progress: Callable[[float], None] | None = None,
) -> Trial:
    """Simulate one configuration. Separate servers are alike: one is simulated, under its share of the traffic.

    Raises:
        CannotPredict: the simulation lacks something.
    """
    servers = launch.layout.servers
    own, scale = share_of(workload, servers)
    run = simulate or predict
    kept, left_out = _bearable(own, launch, cost, demand)
    one = run(launch.deployment, launch.memory, kept, cost=cost, progress=progress, at_most=AT_MOST)
    if left_out:
        one = _with_the_rest(one, own, left_out)
    found = one if scale == 1 else _times(one, scale, servers)
    outcomes = judge(found, targets)
    crowded = bool(left_out) or (not bound_waiting(targets) and not _serves(found, demand))
    return Trial(launch, found, outcomes, "no" if crowded else worst(outcomes), cost, demand, crowded)


def _bearable(own: Workload, launch: Launch, cost: CostModel, demand: Demand) -> tuple[Workload, float]:
    """The part of a server's traffic worth simulating, and how many users (or requests a second) are left out of it."""
    seats, rate = capacity(launch, cost, demand)
    ranks = launch.layout.dp * launch.layout.engine.dp
    users, per_second = max(FEWEST_USERS, round(BEYOND * seats * ranks)), BEYOND * rate * ranks
    if own.arrivals == "open" and (own.request_rate or 0) > per_second:
        return own.but(request_rate=per_second), (own.request_rate or 0) - per_second
    if own.arrivals == "closed" and (own.concurrency or 0) > users:
        return own.but(concurrency=users), float((own.concurrency or 0) - users)
    if own.arrivals == "at_once" and (own.requests or 0) > users:
        return own.but(requests=users), float((own.requests or 0) - users)
    return own, 0.0


def _with_the_rest(one: Prediction, own: Workload, left_out: float) -> Prediction:
    """The prediction with the traffic that was not simulated: it waits, and everybody waits the longer.

    Served at the rate there is, the rest takes `left_out` over it. Of a closed loop each request waits that much longer;
    of requests sent at once the last does, and the mean half as much. An open loop beyond what is served never ends.
    """
    if own.arrivals == "open":
        return one.but(waiting=one.waiting + left_out, overloaded=True)
    longest = 1000 * left_out / one.request_rate.mid
    usual = longest if own.arrivals == "closed" else longest / 2
    return one.but(
        waiting=one.waiting + left_out, ttft_ms=_later(one.ttft_ms, usual, longest), e2e_ms=_later(one.e2e_ms, usual, longest)
    )


def _later(found: Latency, usual: float, longest: float) -> Latency:
    """A latency with so many ms more, its intervals as wide in proportion."""

    def more(was: Interval, ms: float) -> Interval:
        ratio = (was.mid + ms) / was.mid if was.mid else 1.0
        return Interval(low=was.low * ratio, mid=was.mid * ratio, high=was.high * ratio)

    return Latency(mean=more(found.mean, usual), p50=more(found.p50, usual), p99=more(found.p99, longest))


def _serves(prediction: Prediction, demand: Demand) -> bool:
    """Does the load run, or does it wait?"""
    users = demand.users or prediction.running + prediction.waiting
    return not prediction.overloaded and prediction.waiting <= max(0.5, WAITING * users)


def _times(one: Prediction, scale: float, servers: int) -> Prediction:
    """The figures of all servers together from those of one."""

    def more(rate: Interval) -> Interval:
        return Interval(low=rate.low * scale, mid=rate.mid * scale, high=rate.high * scale)

    return one.but(
        output_tok_s=more(one.output_tok_s), total_tok_s=more(one.total_tok_s), request_rate=more(one.request_rate),
        running=one.running * scale, waiting=one.waiting * scale, timeline=(),
        assumptions=(*one.assumptions, f"each of the {servers} servers gets an even share of the traffic; one was simulated"),
    )  # fmt: skip
