"""Over which load a change helps."""

from vllm_triage.domain import TraceRow, Workload
from vllm_triage.verdicts.whatif import Sweep, try_change
from vllm_triage.verdicts.whatif.loads import _smoothed

from .cases import CROWD, RATE, ground


def test_seats_help_only_from_the_load_that_fills_them() -> None:
    found = Sweep(ground()).follow(try_change(ground(), {"max_num_seqs": 24}))
    assert found is not None
    assert [point.load for point in found.points] == sorted(point.load for point in found.points)
    [first] = [words for words in found.words if words.startswith("TTFT")]
    assert first.startswith("TTFT: up to about ")
    assert "users it makes no difference" in first
    assert first.endswith("it helps")


def test_the_launch_as_it_is_is_simulated_once_for_all_changes() -> None:
    sweep, runs = Sweep(ground()), []
    real = sweep._run
    sweep._run = lambda *given: (runs.append(given[0]), real(*given))[1]  # type: ignore[method-assign, func-returns-value]
    for seats in (12, 24):
        sweep.follow(try_change(ground(), {"max_num_seqs": seats}))
    loads = [1 for deployment in runs if deployment is ground().deployment]
    assert len(loads) < len(runs) / 2


def test_open_traffic_is_swept_by_rate_and_progress_is_told() -> None:
    told: list[float] = []
    found = Sweep(ground(RATE)).follow(try_change(ground(RATE), {"max_num_batched_tokens": 512}), told.append)
    assert found is not None
    assert found.unit == "requests/s"
    assert told == sorted(told)
    assert 0 < max(told) <= 1


def test_a_trace_has_no_load_to_vary() -> None:
    rows = tuple(TraceRow(float(at), 500, 20) for at in range(4))
    start = ground(Workload(arrivals="trace", trace=rows))
    assert Sweep(start).follow(try_change(start, {"max_num_seqs": 2})) is None


def test_what_was_not_simulated_is_not_swept() -> None:
    assert CROWD.arrivals == "closed"
    assert Sweep(ground()).follow(try_change(ground(), {"gpu_memory_utilization": 0.1})) is None


def test_a_single_load_that_disagrees_with_both_sides_is_noise() -> None:
    assert _smoothed([1, -1, 1, 0, -1, -1]) == [1, 1, 1, 0, -1, -1]
    assert _smoothed([0, 1]) == [0, 1]
