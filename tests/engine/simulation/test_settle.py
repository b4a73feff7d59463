"""When enough has been simulated."""

from typing import Any

import pytest

from engine.simulation.traffic_cases import Pencil, fixed, limits, simulate
from vllm_triage.domain import Lengths, Workload


def closed(users: int, **more: Any) -> Workload:
    return Workload(
        arrivals="closed", concurrency=users, input=fixed(50), output=Lengths(mean=40, shape="exponential"), **more
    )


def test_with_a_number_of_requests_everything_counts_as_in_vllm_bench() -> None:
    meter, clock, settling = simulate(closed(4, requests=50))
    assert (meter.requests, meter.begun, meter.elapsed) == (50, 0.0, clock.now)
    assert not settling.overloaded


def test_without_one_the_beginning_does_not_count_and_it_stops_when_steady() -> None:
    meter, _, settling = simulate(closed(8), at_most=5000)
    assert meter.begun > 0
    assert settling.steady
    assert meter.ended_all < 5000


def test_it_stops_at_the_most_when_it_does_not_get_steady() -> None:
    uneven = closed(8).but(input=Lengths(mean=200, shape="lognormal", spread=3.0))
    meter, _, _ = simulate(uneven, at_most=20)
    assert meter.ended_all <= 28


def test_the_steady_state_is_that_of_a_long_run() -> None:
    short, _, _ = simulate(closed(8), at_most=5000)
    long, _, _ = simulate(closed(8, requests=20_000))
    assert short.ttft.mean == pytest.approx(long.ttft.mean, rel=0.06)
    assert short.produced / short.elapsed == pytest.approx(long.produced / long.elapsed, rel=0.03)


# eight seats, each of which serves a request of 20 tokens in about 0.23 s: some 34 requests a second
@pytest.mark.parametrize(("rate", "overloaded"), [(5.0, False), (25.0, False), (60.0, True), (500.0, True)])
@pytest.mark.parametrize("requests", [None, 1500])
def test_overload_is_told_from_a_busy_server(rate: float, overloaded: bool, requests: int | None) -> None:
    workload = Workload(arrivals="open", request_rate=rate, input=fixed(20), output=fixed(20), requests=requests)
    meter, _, settling = simulate(workload, limits(seats=8), Pencil(decode=0.0, context=0.0))
    assert settling.overloaded is overloaded
    if not overloaded:
        assert meter.requests / meter.elapsed == pytest.approx(rate / 1000, rel=0.1)


def test_a_server_that_fills_up_is_not_overloaded() -> None:
    # 200 requests in the system once it is steady, and seats for all of them
    workload = Workload(arrivals="open", request_rate=20.0, input=fixed(20), output=fixed(1000))
    meter, _, settling = simulate(workload, limits(seats=400, budget=512, blocks=40_000), Pencil(decode=0, context=0))
    assert not settling.overloaded
    assert meter.in_system == pytest.approx(20 * 10, rel=0.15)


def test_progress_is_told_up_to_the_end_and_can_cancel() -> None:
    told: list[float] = []
    simulate(closed(4, requests=200), progress=told.append)
    assert told == sorted(told)
    assert 0.9 < told[-1] <= 1.0
    assert len(told) > 10

    class CancelledError(Exception):
        pass

    def cancel(share: float) -> None:
        if share > 0.5:
            raise CancelledError

    with pytest.raises(CancelledError):
        simulate(closed(4, requests=200), progress=cancel)
