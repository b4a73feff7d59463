"""``simulate --schedule``: each scenario with the trace the scheduler of a release leaves, for anyone to compare."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..engine.scheduler import CannotSchedule, Limits, Run, Scheduler, Trace, Work, refuse_unknown, replay, rules_for
from ..readers.scenarios import Scenario, ScenarioRequest, read_scenarios

__all__ = ["arrivals_of", "limits_of", "schedules", "traced"]

_TOKENS_WITHOUT_END = 1 << 40
"""The end of a run that goes on as long as the request."""


def schedules(text: str, version: str) -> Iterator[dict[str, Any]]:
    """Each scenario of a JSONL text with its trace.

    A scenario vLLM would refuse, or never finish, carries ``refused``, the reason, instead of a trace.

    Raises:
        BadScenario: a line is not a scenario.
        UnknownScheduler: the release is too old, or not a version.
    """
    rules_for(version)
    for scenario in read_scenarios(text):
        yield traced(scenario, version)


def traced(scenario: Scenario, version: str, *, stepwise: bool = False) -> dict[str, Any]:
    """The scenario with the trace that the scheduler of `version` leaves."""
    answer = {**scenario.given, "vllm": version}
    trace = Trace()
    try:
        scheduler = Scheduler(limits_of(scenario, version), rules_for(version), tracing=True)
        requests = list(replay(scheduler, arrivals_of(scenario), watch=trace.record, stepwise=stepwise))
    except CannotSchedule as error:
        return {**answer, "refused": str(error)}
    requests.sort(key=lambda request: request.number)
    return {
        **answer, "steps": trace.steps, "preempted": trace.preempted, "waiting": trace.waiting,
        "running": trace.running, "free_blocks": trace.free_blocks, **trace.outcome(requests),
    }  # fmt: skip


def limits_of(scenario: Scenario, version: str) -> Limits:
    """The scenario's settings.

    Raises:
        CannotSchedule: `version` would refuse them, or does not know one that is set.
    """
    limits = Limits(
        max_num_seqs=scenario.max_num_seqs, max_num_batched_tokens=scenario.max_num_batched_tokens,
        max_model_len=scenario.max_model_len, num_blocks=scenario.num_blocks, block_size=scenario.block_size,
        long_prefill_token_threshold=scenario.long_prefill_token_threshold,
        enable_prefix_caching=scenario.enable_prefix_caching, enable_chunked_prefill=scenario.enable_chunked_prefill,
        policy=scenario.policy, async_scheduling=scenario.async_scheduling, watermark=scenario.watermark,
        reserve_full_prompt=scenario.scheduler_reserve_full_isl, max_num_active_seqs=scenario.max_num_active_seqs,
        adaptive_threshold=scenario.long_prefill_token_threshold_adaptive,
    )  # fmt: skip
    refuse_unknown(limits, version)
    return limits


def arrivals_of(scenario: Scenario) -> Iterator[tuple[int, Work]]:
    """The scenario's requests, each with the step it arrives before."""
    contents = [_runs(number, request) for number, request in enumerate(scenario.requests)]
    shared = _shared(contents)
    for request, runs in zip(scenario.requests, shared, strict=True):
        yield request.arrival_step, Work(request.prompt_tokens, request.output_tokens, request.priority, runs)


def _runs(number: int, request: ScenarioRequest) -> tuple[Run, ...]:
    """What the tokens of a request are, in the scenarios' own code: its group's, its own, then those of every output."""
    tokens = (
        (1000 + request.prefix_group, request.prefix_tokens), (5000 + number, request.prompt_tokens),
        (7, _TOKENS_WITHOUT_END),
    )  # fmt: skip
    runs: list[Run] = []
    for label, end in tokens:
        if runs and runs[-1].label == label:
            runs[-1] = Run(label, end)
        elif end > (runs[-1].end if runs else 0):
            runs.append(Run(label, end))
    return tuple(runs)


def _shared(contents: Sequence[tuple[Run, ...]]) -> list[tuple[Run, ...]]:
    """The runs of each that at least one other goes along with."""
    paths: list[list[tuple[Run | int, ...]]] = [
        [(*runs[:count], run.label) for count, run in enumerate(runs)] for runs in contents
    ]
    holders = Counter(path for own in paths for path in own)
    return [
        tuple(run for run, path in zip(runs, own, strict=True) if holders[path] > 1)
        for runs, own in zip(contents, paths, strict=True)
    ]
