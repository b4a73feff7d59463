"""What a configuration will roughly do, from one look at its steady state: to choose what is worth simulating.

In the steady state every step advances all running requests by a token and carries as many prompt tokens as requests
end in that step. One step of the cost model at that mix gives the time per token, and with it everything else. Nothing
here is shown: queues, bursts and percentiles are the simulation's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from ...engine.cost import CostModel
from ...engine.machine import whole
from ...engine.seats import seats_in_pool
from .demand import Demand
from .launches import Launch
from .targets import Target, bound_waiting

__all__ = ["MOST_SEATS", "Outlook", "capacity", "crowding", "look", "meets", "rough"]

MOST_SEATS = 4096
"""Seats asked of a scheduler at most: each takes memory for its sampler and, with the graphs, time to start."""

CROWDING = 1.05
"""Users over running requests up to which nobody waits for a seat."""

ROUNDS = 40
"""Rounds of the search for the number running at a given rate; it halves the error each time."""

P99_OF_MEAN = {"ttft_ms": 1.6, "tpot_ms": 1.15, "e2e_ms": 1.3}
"""Percentile over mean of a steady load, roughly; the gap between tokens has a law of its own."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The steady state of one engine. Times in ms, rates per second."""

    running: float
    step_ms: float
    full_step_ms: float
    """A step that carries the whole token budget."""
    ttft_ms: float
    rate: float
    """Requests that end per second."""
    overloaded: bool
    seats: float
    """Requests the engine can run at once: those the pool has room for, as the seats are the plan's to set."""

    def figure(self, metric: str, output: float) -> float:
        """The rough value of a latency."""
        name, _, how = metric.rpartition("_")
        tpot = self.step_ms
        value = {"ttft_ms": self.ttft_ms, "tpot_ms": tpot, "itl_ms": tpot, "e2e_ms": self.ttft_ms + output * tpot}[name]
        if how == "p99":
            return max(tpot, self.full_step_ms) if name == "itl_ms" else value * P99_OF_MEAN[name]
        return value


def look(launch: Launch, cost: CostModel, demand: Demand, replicas: int) -> Outlook:
    """The steady state of one of `replicas` engines (data-parallel ranks each count) that share the demand evenly."""
    engine = _engine(launch, cost, demand)
    if demand.users is not None:
        return engine.closed(demand.users / replicas)
    return engine.open((demand.rate or 1.0) / replicas)


def capacity(launch: Launch, cost: CostModel, demand: Demand) -> tuple[float, float]:
    """Requests one engine can run at once, and those it can end per second."""
    engine = _engine(launch, cost, demand)
    return engine.seats, 1000 * engine.steady(engine.seats)[1]


def _engine(launch: Launch, cost: CostModel, demand: Demand) -> "_Engine":
    deployment = launch.deployment
    pool = seats_in_pool(launch.memory, deployment.model, 1, demand.prompt, demand.output)
    seats = min(float(MOST_SEATS), inf if pool is None else pool)
    budget = float(whole(deployment.setting("max_num_batched_tokens"), 2048))
    return _Engine(cost, demand, budget, max(1.0, seats))


@dataclass(frozen=True, slots=True)
class _Engine:
    cost: CostModel
    demand: Demand
    budget: float
    seats: float

    def step(self, running: float, prompt: float) -> float:
        """Time of a step of so many sequences and prompt tokens."""
        decodes = max(0, round(running))
        chunks = [(max(1, round(prompt)), 0)] if prompt >= 0.5 else []
        return self.cost.step_ms(decodes, round(decodes * self.demand.held), chunks)

    def steady(self, running: float) -> tuple[float, float]:
        """Step time, and requests that end per ms, with so many running."""
        need = self.demand
        room = max(1.0, self.budget - running)
        prompt = running * need.computed / need.output  # prompt tokens of a step, on average
        lump = min(need.computed, room)
        if prompt <= lump:  # some steps carry a prompt or a chunk of one, the others none
            alone = self.step(running, 0)
            time = alone + prompt / lump * (self.step(running, lump) - alone)
            return time, running / (need.output * time)
        if prompt <= room:
            time = self.step(running, prompt)
            return time, running / (need.output * time)
        # Prompts come faster than the budget takes them: the budget sets the rate.
        time = self.step(running, room)
        return time, room / need.computed / time

    def closed(self, users: float) -> Outlook:
        running = max(1.0, min(users, self.seats))
        time, rate = self.steady(running)
        waiting = max(0.0, users - running)
        return self._outlook(running, time, rate, waiting / rate, overloaded=False)

    def open(self, per_second: float) -> Outlook:
        """The number running at which as many end as come; more come than can end when there is none."""
        wanted = per_second / 1000
        time, rate = self.steady(self.seats)
        if rate < wanted:
            return self._outlook(self.seats, time, rate, 0.0, overloaded=True)
        low, high = 0.0, self.seats
        for _ in range(ROUNDS):
            middle = (low + high) / 2
            if self.steady(middle)[1] < wanted:
                low = middle
            else:
                high = middle
            if high - low < 0.25:
                break
        running = max(1.0, high)
        time, _ = self.steady(running)
        # Poisson arrivals find a busy server: the wait of an M/D/1 queue over its prefill work.
        alone = self.step(0, min(self.demand.computed, self.budget))
        busy = min(0.95, wanted * alone)
        return self._outlook(running, time, wanted, alone * busy / (2 * (1 - busy)), overloaded=False)

    def _outlook(self, running: float, time: float, rate: float, queue: float, *, overloaded: bool) -> Outlook:
        need = self.demand
        steps = max(1.0, need.computed / max(1.0, self.budget - running))
        own = steps * self.step(running, min(need.computed, max(1.0, self.budget - running)))
        most = max(need.computed, running * need.computed / need.output)  # tokens of the prompts that meet in a step
        full = self.step(running, max(1.0, min(self.budget - running, most)))
        return Outlook(running, time, full, self.cost.first_token_ms + queue + own, rate * 1000, overloaded, self.seats)


def meets(
    outlook: Outlook, demand: Demand, targets: tuple[Target, ...], replicas: int, bounds: Mapping[str, float]
) -> bool:
    """True when every target is met and the load does not pile up.

    Where no target bounds waiting the users have to run: a twentieth of them without a seat is too many.

    Args:
        outlook: the steady state of one of `replicas` engines.
        demand: what all of them serve.
        targets: what is wanted.
        replicas: how many there are.
        bounds: by metric, what to multiply the rough figure by before it is held against the limit.
    """
    if outlook.overloaded or (not bound_waiting(targets) and crowding(outlook, demand, replicas) > CROWDING):
        return False
    return all(t.room(rough(outlook, demand, t, replicas) * bounds.get(t.metric, 1.0)) >= 0 for t in targets)


def crowding(outlook: Outlook, demand: Demand, replicas: int) -> float:
    """Users over the requests that can run; 0 where requests come at a rate."""
    return 0.0 if demand.users is None else demand.users / replicas / outlook.running


def rough(outlook: Outlook, demand: Demand, target: Target, replicas: int) -> float:
    """The rough value of a target's figure."""
    if not target.rate:
        return outlook.figure(target.metric, demand.output)
    tokens = {"request_rate": 1.0, "output_tok_s": demand.output, "total_tok_s": demand.output + demand.prompt}
    return outlook.rate * replicas * tokens[target.metric]
