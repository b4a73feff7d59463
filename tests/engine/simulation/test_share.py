"""The traffic of one replica of several."""

import pytest

from vllm_triage.domain import TraceRow, Workload
from vllm_triage.engine.simulation.share import share_of


def test_one_replica_gets_all() -> None:
    workload = Workload(arrivals="closed", concurrency=7)
    assert share_of(workload, 1) == (workload, 1.0)


@pytest.mark.parametrize(("users", "replicas"), [(64, 4), (10, 4), (3, 8), (1, 2)])
def test_users_are_shared_out_and_add_up(users: int, replicas: int) -> None:
    own, scale = share_of(Workload(arrivals="closed", concurrency=users), replicas)
    assert own.concurrency is not None
    assert own.concurrency * scale == pytest.approx(users)


def test_a_rate_is_shared_out_and_gets_smoother() -> None:
    own, scale = share_of(Workload(arrivals="open", request_rate=12.0, burstiness=0.5, requests=300), 3)
    assert (own.request_rate, own.burstiness, own.requests, scale) == (4.0, 1.5, 100, 3.0)


def test_a_crowd_and_a_trace_are_dealt_out() -> None:
    own, scale = share_of(Workload(arrivals="at_once", requests=10), 4)
    assert own.requests is not None
    assert own.requests * scale == 10
    rows = tuple(TraceRow(float(at), 5, 5) for at in range(7))
    assert share_of(Workload(arrivals="trace", trace=rows), 2)[0].trace == rows[::2]
