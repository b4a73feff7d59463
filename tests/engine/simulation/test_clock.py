"""The clock: what one request, a queue and a crowd take, to the millisecond; and that stretches change nothing."""

import math
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.simulation.traffic_cases import Pencil, fixed, limits, simulate
from vllm_triage.domain import Lengths, TraceRow, Workload

FLAT = Pencil(decode=0.0, context=0.0)


def rows(*requests: tuple[float, int, int]) -> Workload:
    return Workload(arrivals="trace", trace=tuple(TraceRow(*request) for request in requests))


def test_one_request_is_its_prefill_and_its_steps() -> None:
    meter, clock, _ = simulate(rows((0, 100, 11)), costs=FLAT)
    assert meter.ttft.mean == 15.0  # one step, 100 tokens of the prompt
    assert meter.tpot.mean == pytest.approx(10.0)
    assert (meter.itl.count, meter.itl.mean) == (10, pytest.approx(10.0))
    assert meter.e2e.mean == pytest.approx(115.0) == clock.now


def test_the_front_end_comes_before_the_first_token_and_before_a_user_asks_again() -> None:
    meter, clock, _ = simulate(
        Workload(arrivals="closed", concurrency=1, requests=400, input=fixed(100), output=fixed(11)),
        costs=Pencil(decode=0, context=0, first_token_ms=40),
    )
    assert meter.ttft.mean == pytest.approx(15 + 40, rel=0.05)
    assert meter.ttft.percentiles(0.0)[0] >= 34  # half of the front end is the same for everyone
    assert clock.now == pytest.approx(meter.e2e.total)


def test_a_prompt_over_the_budget_takes_a_step_for_each_chunk() -> None:
    meter, _, _ = simulate(rows((0, 1000, 2)), limits(budget=250), FLAT)
    assert meter.ttft.mean == pytest.approx(4 * (10 + 250 * 0.05))


def test_an_arrival_waits_for_the_step_under_way() -> None:
    meter, _, _ = simulate(rows((0, 100, 100), (0.1001, 20, 2)), costs=FLAT)
    # the other's prefill ends at 15, its decodes at 105, 115: a step that begins at 105 computes this one's prompt
    assert meter.ttft.total == pytest.approx(15 + (105 - 100.1) + 11)


def test_scheduling_ahead_an_arrival_waits_for_one_step_more() -> None:
    meter, _, _ = simulate(rows((0, 100, 100), (0.1001, 20, 2)), limits(ahead=True), FLAT)
    assert meter.ttft.total == pytest.approx(15 + (115 - 100.1) + 11)


def test_an_engine_at_rest_starts_at_once_even_when_it_schedules_ahead() -> None:
    meter, _, _ = simulate(rows((0, 100, 2), (5, 100, 2)), limits(ahead=True), FLAT)
    assert meter.ttft.total == pytest.approx(2 * 15)


def test_the_last_step_seen_ends_a_gap_of_scheduling_ahead() -> None:
    # the second comes during the only decode of the first: nothing was left to schedule ahead, so nothing is in its way
    meter, _, _ = simulate(rows((0, 100, 2), (0.020, 100, 2)), limits(ahead=True), FLAT)
    assert meter.ttft.total == pytest.approx(15 + (25 - 20) + 15)


def test_a_preempted_request_shows_as_one_long_gap() -> None:
    meter, _, _ = simulate(
        Workload(arrivals="at_once", requests=2, input=fixed(60), output=fixed(60)),
        limits(blocks=13, caching=False),
        FLAT,
    )
    assert meter.preempted > 0
    assert meter.itl.count == 2 * 59
    assert meter.itl.total == pytest.approx(meter.tpot.total * 59)
    assert meter.itl.percentiles(1.0)[0] > 100


def test_speculation_yields_several_tokens_a_step() -> None:
    meter, clock, _ = simulate(rows((0, 100, 101)), limits(drafts=3, accepted=1.0), FLAT)
    assert clock.now == pytest.approx(15 + 50 * 10)
    assert meter.tpot.mean == pytest.approx(5.0)
    assert meter.itl.mean == pytest.approx(10.0)


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    """Any kind of traffic, of a few dozen requests."""
    lengths = st.builds(
        Lengths,
        mean=st.floats(2, 90),
        shape=st.sampled_from(["fixed", "uniform", "exponential", "lognormal"]),
        spread=st.sampled_from([0.0, 0.5, 1.0]),
    )
    shape: dict[str, Any] = draw(
        st.sampled_from(
            [
                {"arrivals": "closed", "concurrency": 5},
                {"arrivals": "closed", "concurrency": 3, "turns": 3, "think_s": 0.05},
                {"arrivals": "open", "request_rate": 8.0},
                {"arrivals": "open", "request_rate": 40.0, "burstiness": 0.4, "concurrency": 4},
                {"arrivals": "at_once"},
            ]
        )
    )
    return Workload(
        **shape, input=draw(lengths), output=draw(lengths), requests=draw(st.integers(1, 40)), seed=draw(st.integers(0, 99)),
        shared_prefix_tokens=draw(st.sampled_from([0, 40])),
    )  # fmt: skip


@st.composite
def engines(draw: st.DrawFn) -> Any:
    return limits(
        seats=draw(st.sampled_from([2, 8])), budget=draw(st.sampled_from([32, 256])), ahead=draw(st.booleans()),
        blocks=draw(st.sampled_from([40, 2000])), caching=draw(st.booleans()), longest=400,
    )  # fmt: skip


@given(workloads(), engines())
@settings(max_examples=60, deadline=None)
def test_stretches_change_nothing(workload: Workload, engine: Any) -> None:
    one, clock, _ = simulate(workload, engine)
    other, steps, _ = simulate(workload, engine, stepwise=True)
    assert clock.now == pytest.approx(steps.now, rel=1e-9)
    assert clock.scheduler.now == steps.scheduler.now
    for name in ("ttft", "tpot", "e2e", "itl"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert (ours.count, ours.total) == pytest.approx((theirs.count, theirs.total), rel=1e-9), name
        assert ours.percentiles(0.5, 0.99) == pytest.approx(theirs.percentiles(0.5, 0.99), rel=0.012), name
    for name in ("running", "in_system", "produced", "preempted", "cached", "running_peak"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-6, abs=1e-9), name
    # over a stretch, blocks are taken to fill up evenly: each request is within one of the truth
    assert one.kv_usage == pytest.approx(other.kv_usage, abs=one.running_peak / (engine.num_blocks - 1))


@given(workloads(), engines())
@settings(max_examples=60, deadline=None)
def test_every_token_asked_for_is_produced_and_littles_law_holds(workload: Workload, engine: Any) -> None:
    meter, clock, _ = simulate(workload, engine)
    sent = clock.traffic.sessions.made
    assert meter.requests == sent == meter.ttft.count
    assert clock.scheduler.pool.free == engine.num_blocks - 1
    outputs = meter.requests + meter.itl.count
    assert meter.produced == pytest.approx(outputs)
    # requests in the system = their rate x their stay; all tokens' gaps lie between first and last token
    assert meter.in_system * meter.elapsed == pytest.approx(meter.e2e.total, rel=1e-9)
    assert meter.running <= meter.in_system + 1e-9
    assert meter.itl.total + meter.ttft.total == pytest.approx(meter.e2e.total, rel=1e-6)


@given(workloads())
@settings(max_examples=25, deadline=None)
def test_the_work_grows_with_requests_not_with_tokens(workload: Workload) -> None:
    taken = []
    for factor in (1, 20):
        longer = workload.but(output=workload.output.but(mean=workload.output.mean * factor), turns=1)
        settings_ = limits(blocks=100_000, caching=False, longest=100_000)
        calls = 0

        class Counting(Pencil):
            def stretch_ms(self, *args: Any) -> float:
                nonlocal calls
                calls += 1
                return super().stretch_ms(*args)

        simulate(longer, settings_, Counting())
        taken.append(calls)
    assert taken[1] <= 12 * (workload.requests or 0) + 20
    assert not math.isnan(sum(taken))


def test_memory_grows_neither_with_requests_nor_with_tokens() -> None:
    def peak(requests: int, output: int) -> int:
        workload = Workload(arrivals="open", request_rate=4.0, requests=requests, input=fixed(64), output=fixed(output))
        tracemalloc.start()
        simulate(workload, limits(seats=16, blocks=20_000), Pencil(first_token_ms=20.0))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    small = peak(400, 20)
    assert peak(2000, 20) < small + 60_000
    assert peak(400, 200) < small + 60_000
