"""When requests come, and what they hold."""

from itertools import pairwise
from statistics import fmean, pstdev
from typing import Any

import pytest

from engine.simulation.traffic_cases import fixed, limits, simulate, traffic
from vllm_triage.domain import TraceRow, Workload
from vllm_triage.engine.scheduler import Run, Work
from vllm_triage.engine.simulation.sessions import Sessions
from vllm_triage.engine.simulation.traffic import NEVER, traffic_of


def gaps(count: int, **workload: Any) -> list[float]:
    source = traffic(Workload(arrivals="open", **workload))
    times = [0.0]
    for _ in range(count):
        times.append(source.next_at)
        source.take()
    return [later - earlier for earlier, later in pairwise(times)]


@pytest.mark.parametrize(("burstiness", "variation"), [(1.0, 1.0), (0.25, 2.0), (4.0, 0.5)])
def test_open_traffic_has_its_rate_and_gaps_of_the_shape_vllm_bench_draws(burstiness: float, variation: float) -> None:
    found = gaps(6000, request_rate=20.0, burstiness=burstiness)
    assert fmean(found) == pytest.approx(50.0, rel=0.06)
    assert pstdev(found) / fmean(found) == pytest.approx(variation, rel=0.08)


def test_arrivals_and_lengths_do_not_depend_on_each_other() -> None:
    one = traffic(Workload(arrivals="open", request_rate=1.0, output=fixed(10)))
    two = traffic(Workload(arrivals="open", request_rate=5.0, output=fixed(10)))
    assert [one.take()[0] for _ in range(20)] == [two.take()[0] for _ in range(20)]


def test_a_crowd_comes_at_once_and_no_more() -> None:
    source = traffic(Workload(arrivals="at_once", requests=3))
    assert [source.next_at for _ in range(3) if source.take()] == [0.0, 0.0, NEVER]


def test_a_user_who_is_done_is_replaced_after_the_front_end() -> None:
    meter, clock, _ = simulate(
        Workload(arrivals="closed", concurrency=4, requests=40, input=fixed(50), output=fixed(20))
    )
    assert meter.requests == 40
    assert clock.scheduler.running == {}
    assert meter.in_system == pytest.approx(4, abs=0.4)


def test_where_the_steady_state_is_wanted_users_of_equal_requests_do_not_come_in_waves() -> None:
    many = Workload(arrivals="closed", concurrency=32, input=fixed(60), output=fixed(100))
    settings = limits(seats=32, budget=2048, blocks=4000)
    steady, together = simulate(many, settings)[0], simulate(many.but(requests=2000), settings)[0]
    assert steady.ttft.mean < together.ttft.mean / 3
    assert steady.in_system == pytest.approx(32, abs=0.5)


def test_only_users_who_are_seated_are_found_on_their_way() -> None:
    crowd = Workload(arrivals="closed", concurrency=200, input=fixed(60), output=fixed(100))
    source = traffic(crowd, seated=8)
    outputs = [source.take()[0].output_tokens for _ in range(200)]
    assert outputs.count(100) in range(191, 194)
    assert all(tokens == 100 for tokens in outputs[8:])


def test_a_client_with_a_limit_holds_requests_back_and_does_not_count_that() -> None:
    free = Workload(arrivals="open", request_rate=1000.0, requests=40, input=fixed(50), output=fixed(20))
    held, clock, _ = simulate(free.but(concurrency=2))
    assert held.in_system <= 2.0
    assert held.ttft.mean < simulate(free)[0].ttft.mean
    assert clock.traffic.sessions.made == 40


def test_the_turns_of_a_conversation_begin_with_all_that_was_said() -> None:
    workload = Workload(
        arrivals="closed", concurrency=1, requests=3, turns=3, think_s=2.0, input=fixed(100), output=fixed(32)
    )
    meter, clock, _ = simulate(workload)
    # 100; 100 + 32 + 100; 232 + 32 + 100
    assert meter.prompts == 100 + 232 + 364
    assert meter.cached == 128 + 256  # full blocks of 131 and of 263 tokens computed
    assert clock.now > 4000


def test_conversations_that_are_over_are_forgotten() -> None:
    workload = Workload(arrivals="closed", concurrency=3, requests=90, turns=3, input=fixed(20), output=fixed(5))
    _, clock, _ = simulate(workload)
    assert len(clock.scheduler._contents._nodes) <= 3


def test_a_shared_prefix_is_computed_once_for_each_group() -> None:
    workload = Workload(
        arrivals="closed", concurrency=1, requests=60, shared_prefix_tokens=160, prefix_groups=2, input=fixed(200),
        output=fixed(4),
    )  # fmt: skip
    meter, _, _ = simulate(workload)
    assert meter.cached == (60 - 2) * 160
    assert simulate(workload, limits(caching=False))[0].cached == 0


def test_a_trace_comes_at_its_times_with_the_blocks_its_requests_share() -> None:
    trace = (
        TraceRow(10.0, 1000, 5, (1, 2)), TraceRow(12.0, 1000, 5, (1, 3)), TraceRow(11.0, 600, 5, (7, 8)),
    )  # fmt: skip
    source = traffic(Workload(arrivals="trace", trace=trace))
    times, works = [], []
    while source.next_at != NEVER:
        times.append(source.next_at)
        works.append(source.take()[0])
    assert times == [0.0, 1000.0, 2000.0]
    assert [work.shared for work in works] == [(Run(1, 512),), (), (Run(1, 512),)]
    meter, _, _ = simulate(Workload(arrivals="trace", trace=trace), limits(budget=2000))
    assert meter.cached == 512


def test_a_request_longer_than_the_model_is_cut_and_counted() -> None:
    sessions = Sessions(Workload(arrivals="at_once", requests=1), 100)
    assert sessions.fit(90, 30, ()) == Work(70, 30)
    assert sessions.fit(20, 300, ()) == Work(20, 80)
    assert (sessions.fit(20, 30, ()), sessions.cut) == (Work(20, 30), 2)


@pytest.mark.parametrize(("role", "work"), [("prefill", Work(50, 1)), ("decode", Work(50, 9, loaded_tokens=50))])
def test_an_engine_of_disaggregated_prefill_does_its_part(role: Any, work: Work) -> None:
    workload = Workload(arrivals="at_once", requests=1, input=fixed(50), output=fixed(9))
    assert traffic_of(workload, Sessions(workload, 100, role), 0.0, 1).take()[0] == work
