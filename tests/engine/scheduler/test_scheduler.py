"""What the scheduler decides, and that coasting over steps changes nothing."""

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.scheduler.scenarios import scenarios
from vllm_triage.engine.scheduler import CannotSchedule, Limits, Run, Scheduler, Trace, Work, replay, rules_for
from vllm_triage.readers.scenarios import read_scenarios
from vllm_triage.report.schedules import arrivals_of, limits_of, traced


def limits(**changes: Any) -> Limits:
    """Two seats, a budget of 32 tokens, blocks of 4, room for everyone, nothing cached."""
    plain = {
        "max_num_seqs": 2, "max_num_batched_tokens": 32, "max_model_len": 256, "num_blocks": 1000, "block_size": 4,
        "enable_prefix_caching": False,
    }  # fmt: skip
    return Limits(**{**plain, **changes})


def steps(version: str, settings: Limits, *work: Work | tuple[int, Work]) -> list[list[tuple[int, ...]]]:
    """For each step who computed how many tokens; all arrive at once unless a step is given."""
    trace = Trace()
    scheduler = Scheduler(settings, rules_for(version), tracing=True)
    arrivals = [item if isinstance(item, tuple) else (0, item) for item in work]
    list(replay(scheduler, arrivals, watch=trace.record))
    return [[tuple(pair) for pair in step] for step in trace.steps]


def run(version: str, settings: Limits, *work: Work | tuple[int, Work]) -> Trace:
    """The trace of a run."""
    trace = Trace()
    arrivals = [item if isinstance(item, tuple) else (0, item) for item in work]
    list(replay(Scheduler(settings, rules_for(version), tracing=True), arrivals, watch=trace.record))
    return trace


@settings(max_examples=120, deadline=None)
@given(scenario=scenarios(), version=st.sampled_from(["0.18.0", "0.23.0", "0.28.0", "0.33.0"]))
def test_coasting_and_taking_every_step_leave_the_same_trace(scenario: dict[str, Any], version: str) -> None:
    read = next(read_scenarios(json.dumps(scenario)))
    assert traced(read, version) == traced(read, version, stepwise=True)


@settings(max_examples=60, deadline=None)
@given(scenario=scenarios(), version=st.sampled_from(["0.18.0", "0.33.0"]))
def test_every_request_gets_all_its_tokens_and_all_blocks_come_back(scenario: dict[str, Any], version: str) -> None:
    answer = traced(next(read_scenarios(json.dumps(scenario))), version)
    total = scenario["num_blocks"] - 1
    assert all(0 <= free <= total for free in answer["free_blocks"])
    assert all(sum(n for _, n in step) <= scenario["max_num_batched_tokens"] for step in answer["steps"])
    assert max(answer["running"]) <= scenario["max_num_seqs"]
    computed = [0] * len(scenario["requests"])
    for step in answer["steps"]:
        for number, tokens in step:
            computed[number] += tokens
    preempted = {number for _, number in answer["preempted"]}
    for number, (_, prompt, output, *_) in enumerate(scenario["requests"]):
        assert answer["first_token_step"][number] <= answer["finish_step"][number]
        if number not in preempted and not scenario["enable_prefix_caching"]:
            assert computed[number] == prompt + output - 1


def test_the_budget_goes_to_the_running_first_and_cuts_the_last_prompt() -> None:
    assert steps("0.33.0", limits(), Work(20, 3), Work(30, 2))[:3] == [
        [(0, 20), (1, 12)],
        [(0, 1), (1, 18)],
        [(0, 1), (1, 1)],
    ]


def test_no_more_requests_run_than_there_are_seats() -> None:
    trace = run("0.33.0", limits(), *[Work(4, 3)] * 3)
    assert max(trace.running) == 2
    assert trace.waiting[0] == 1


def test_without_chunked_prefill_a_prompt_waits_for_the_budget_and_everyone_behind_it_too() -> None:
    whole = limits(max_num_seqs=4, max_model_len=32, enable_chunked_prefill=False)
    assert steps("0.33.0", whole, Work(20, 2), Work(20, 2), Work(4, 1))[:2] == [[(0, 20)], [(0, 1), (1, 20), (2, 4)]]


def test_a_long_prompt_takes_no_more_than_the_threshold_beside_others() -> None:
    capped = limits(long_prefill_token_threshold=8)
    assert steps("0.33.0", capped, Work(20, 1), Work(3, 2))[:3] == [[(0, 8), (1, 3)], [(0, 8), (1, 1)], [(0, 4)]]


def test_async_scheduling_frees_a_seat_one_step_later() -> None:
    one_seat = {"max_num_seqs": 1}
    at_once = steps("0.33.0", limits(**one_seat), Work(4, 2), Work(4, 1))
    late = steps("0.33.0", limits(**one_seat, async_scheduling=True), Work(4, 2), Work(4, 1))
    assert at_once == [[(0, 4)], [(0, 1)], [(1, 4)]]
    assert late == [[(0, 4)], [(0, 1)], [], [(1, 4)], []]


def test_the_last_to_run_is_preempted_and_computes_everything_again() -> None:
    tight = limits(num_blocks=4)  # three blocks of four tokens
    trace = run("0.33.0", tight, Work(4, 6), Work(4, 2))
    assert trace.preempted == [[1, 1]]
    assert trace.steps[1] == [[0, 1]]
    assert [1, 5] in [pair for step in trace.steps for pair in step]


def test_under_the_priority_policy_the_least_urgent_is_preempted() -> None:
    tight = limits(num_blocks=4, policy="priority")
    trace = run("0.33.0", tight, Work(4, 3, priority=5), (1, Work(4, 5, priority=1)))
    assert trace.preempted == [[2, 0]]


def test_a_shared_beginning_is_computed_once() -> None:
    cached = limits(enable_prefix_caching=True)
    alike = Work(14, 2, shared=(Run(1, 12),))
    assert steps("0.33.0", cached, alike, (1, alike))[:2] == [[(0, 14)], [(0, 1), (1, 2)]]


def test_a_fully_cached_prompt_still_computes_its_last_block() -> None:
    cached = limits(enable_prefix_caching=True)
    alike = Work(12, 2, shared=(Run(1, 12),))
    assert steps("0.33.0", cached, alike, (1, alike))[1] == [(0, 1), (1, 4)]


def test_the_next_turn_of_a_conversation_finds_the_last_one() -> None:
    cached = limits(enable_prefix_caching=True)
    first = Work(10, 7, shared=(Run(1, 10), Run(2, 17)), overlaps=False)
    second = Work(20, 2, shared=(Run(1, 10), Run(2, 17)), overlaps=False)
    assert steps("0.33.0", cached, first, (20, second))[20] == [(1, 4)]  # 16 tokens were computed and fill blocks


def test_tokens_whose_cache_is_brought_in_are_not_computed_here_but_hold_blocks() -> None:
    trace = run("0.33.0", limits(), Work(41, 3, loaded_tokens=40))
    assert trace.steps == [[[0, 1]]] * 3
    assert trace.free_blocks[0] == 999 - 11


def test_drafts_take_from_the_budget_and_bring_the_end_nearer() -> None:
    drafting = limits(max_num_batched_tokens=12, draft_tokens=3, accepted_tokens=1.5)
    trace = run("0.33.0", drafting, Work(4, 26), (1, Work(30, 1)))
    assert trace.steps[:3] == [[[0, 4]], [[0, 4], [1, 8]], [[0, 4], [1, 8]]]
    assert sum(any(number == 0 for number, _ in step) for step in trace.steps) == 1 + 25 / 2.5


@settings(max_examples=40, deadline=None)
@given(scenario=scenarios(), accepted=st.sampled_from([0.7, 2.0, 2.9]))
def test_with_speculation_all_blocks_come_back_and_coasting_changes_nothing(
    scenario: dict[str, Any], accepted: float
) -> None:
    read = next(read_scenarios(json.dumps(scenario)))
    plain = limits_of(read, "0.33.0")
    names = [field.name for field in fields(Limits)]
    drafting = Limits(**{**{name: getattr(plain, name) for name in names}, "draft_tokens": 3, "accepted_tokens": accepted})
    outcomes = []
    for one_by_one in (True, False):
        scheduler = Scheduler(drafting, rules_for("0.33.0"))
        ended = list(replay(scheduler, arrivals_of(read), stepwise=one_by_one))
        assert scheduler.pool.free == scheduler.pool.total
        outcomes.append(sorted((request.number, request.first_token, request.finished) for request in ended))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("work", [Work(0, 5), Work(5, 0), Work(256, 5)])
def test_a_request_vllm_would_refuse_is_refused(work: Work) -> None:
    with pytest.raises(CannotSchedule, match="prompt"):
        Scheduler(limits(), rules_for("0.33.0")).add(work)


def test_a_request_ends_at_the_model_s_length_whatever_it_asked_for() -> None:
    assert len(steps("0.33.0", limits(max_model_len=10), Work(6, 500))) == 4


@pytest.mark.parametrize(("version", "says"), [("0.18.0", "outgrows"), ("0.33.0", "does not fit")])
def test_a_request_larger_than_the_pool_is_named_instead_of_waited_for(version: str, says: str) -> None:
    with pytest.raises(CannotSchedule, match=says):
        steps(version, limits(num_blocks=4, max_num_batched_tokens=8), Work(40, 2))


def test_a_request_that_grows_past_the_pool_is_named() -> None:
    with pytest.raises(CannotSchedule, match="outgrows"):
        steps("0.33.0", limits(num_blocks=4), Work(10, 20))


def test_drafts_that_fill_a_whole_block_a_step_take_blocks_when_few_are_left() -> None:
    drafting = limits(max_num_seqs=3, num_blocks=41, max_num_batched_tokens=160, max_model_len=160, draft_tokens=3, accepted_tokens=2.9)
    trace = run("0.33.0", drafting, Work(4, 49), Work(4, 49), (1, Work(4, 45)))
    assert trace.preempted
    scheduler = Scheduler(drafting, rules_for("0.33.0"))
    list(replay(scheduler, [(0, Work(4, 49)), (0, Work(4, 49)), (1, Work(4, 45))]))
    assert scheduler.pool.free == scheduler.pool.total
