"""What a run's steps carry, so that any step-time model can be held against it without simulating again.

In a closed loop, and with everything sent at once, which requests share a step hardly depends on how long steps take.
So a run is scheduled once, and of each step is kept what it carries and three weights: the requests before their first
token, those after it, and the sum of 1 / (output - 1) over these. For step times `t`, by Little's law,

    mean TTFT = sum(t x before) / requests, mean TPOT = sum(t x shares) / requests, duration = sum(t)

Steps alike are merged: the same number of decodes, prompt tokens within a quarter.
"""

from dataclasses import dataclass
from random import Random

import numpy as np

from published_runs import Run
from vllm_triage.engine.machine import machine
from vllm_triage.engine.scheduler import Scheduler, Work
from vllm_triage.engine.simulation.lengths import draws
from vllm_triage.engine.simulation.limits import limits_of, rules_of

__all__ = ["COLUMNS", "Record", "record"]

COLUMNS = ("decodes", "context", "count", "new", "pairs", "seen", "prompts", "before", "after", "shares")
"""Of :attr:`Record.steps`. The last three are sums over the steps merged, the others means; `count` is how many."""

MOST = 2560
"""Requests scheduled of one replica at most."""

SETTLED, COUNTED = 2, 8
"""Requests per user before the steady state is taken to be reached, and those counted after it, where no number is told."""


@dataclass(frozen=True, slots=True)
class Record:
    """The steps of one replica of a run."""

    steps: np.ndarray
    requests: int
    spread: int
    """Requests with more than one output token."""
    tokens: int
    """Output tokens of all replicas."""
    rounds: float
    """Requests each user sends one after the other; 1 when all come at once."""


def record(run: Run) -> Record:
    """Schedule a run."""
    work, replicas = run.workload, machine(run.deployment, run.memory).dp
    limits = limits_of(run.deployment, run.memory, lengths=(work.input.mean, work.output.mean))
    scheduler = Scheduler(limits, rules_of(run.deployment.version))
    prompts, outputs = draws(work.input, Random("1 input")), draws(work.output, Random("1 output"))  # noqa: S311 - not secrets
    sent_at_all = max(1, (work.requests or 1) // replicas)
    users = sent_at_all if work.concurrency is None else max(1, round(work.concurrency / replicas))
    steady = work.concurrency is not None and work.requests is None
    most = (SETTLED + COUNTED) * users if steady else sent_at_all
    total = sent_at_all if work.concurrency is None else max(2 * users, min(most, MOST, 10 * users))
    settled = total * SETTLED // (SETTLED + COUNTED) if steady else 0
    parts = Random("1 parts")  # noqa: S311
    seated = min(users, limits.max_num_seqs) if steady else 0
    rows: list[tuple[float, ...]] = []
    share: dict[int, float] = {}
    sent = before = after = spread = tokens = 0
    shares = 0.0

    def send() -> None:
        nonlocal sent, before
        prompt = min(next(prompts), limits.max_model_len - 2)
        output = max(2, min(next(outputs), limits.max_model_len - prompt - 1))
        if sent < seated:  # found somewhere on their way
            output = max(2, round(output * (sent + parts.random()) / seated))
        scheduler.add(Work(prompt, output))
        sent, before = sent + 1, before + 1

    for _ in range(min(users, total)):
        send()
    ended = started = 0
    while scheduler.unfinished and not (steady and sent >= total):
        if ended < settled:
            rows.clear()
            started = spread = tokens = 0
        quiet = scheduler.quiet()
        step = scheduler.coast(quiet) if quiet else scheduler.step()
        growth = step.decodes * (1 + limits.accepted_tokens)
        new = sum(size for _, size, _ in step.chunks)
        pairs = sum(size * (held + size / 2) for _, size, held in step.chunks)
        seen = sum(size + held for _, size, held in step.chunks)
        context = step.context + growth * (step.count - 1) / 2
        rows.append((step.decodes, context, step.count, new, pairs, seen, len(step.chunks), before, after, shares))
        tokens += round(growth * step.count) + len(step.first)
        started += len(step.first)
        for request in step.first:
            before, after = before - 1, after + 1
            if request.output > 1:
                share[request.number] = 1 / (request.output - 1)
                shares, spread = shares + share[request.number], spread + 1
        for request in step.ended:
            ended, after = ended + 1, after - 1
            shares -= share.pop(request.number, 0.0)
            if work.concurrency is not None and sent < total:
                send()
    counted = started if steady else total
    return Record(_merged(np.array(rows)), counted, max(1, spread), tokens * replicas, counted / users)


def _merged(rows: np.ndarray) -> np.ndarray:
    decodes, new, count = rows[:, 0], rows[:, 3], rows[:, 2]
    many = 16 + np.round(np.log2(np.maximum(decodes, 1) / 16) * 10)
    alike = np.where(decodes <= 16, decodes, many) * 1000
    alike += np.where(new > 0, np.round(np.log2(np.maximum(new, 1)) * 3), -1)
    kinds, which = np.unique(alike, return_inverse=True)
    total = [np.bincount(which, count * rows[:, column], len(kinds)) for column in range(rows.shape[1])]
    steps = np.bincount(which, count, len(kinds))
    means = [column / steps for column in total[:7]]
    return np.stack([*means[:2], steps, *means[3:], *total[7:]], axis=1)
