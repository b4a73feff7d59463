import pytest

from vllm_triage.readers.histogram import Histogram
from vllm_triage.readers.reading import Partial
from vllm_triage.readers.server_view import View
from vllm_triage.readers.timeline import difference, timeline


def view(
    generated: float,
    *,
    time: float | None = None,
    start: float | None = None,
    running: float = 4,
    owner: str = "engine=0",
) -> View:
    return View(
        time=time, start=None, model="m", gauges={"num_requests_running": {owner: running}},
        counters={"generation_tokens": generated}, owners={owner},
        histograms={"inter_token_latency_seconds": Histogram(total=generated * 0.02, count=generated)},
    )  # fmt: skip


def test_undated_scrapes_are_put_in_order_by_their_counters() -> None:
    run = timeline([view(300), view(100), view(200)], Partial(what=""))
    assert [v.counters["generation_tokens"] for v in run.views] == [100, 200, 300]


def test_dates_outrank_counters_so_that_a_reset_is_seen() -> None:
    part = Partial(what="")
    run = timeline([view(9000, time=0), view(50, time=10), view(80, time=20)], part)
    assert [v.counters["generation_tokens"] for v in run.views] == [50, 80]
    assert run.seconds == 10
    assert "generation_tokens fell" in part.unread[0]


def test_counters_that_cross_are_not_of_one_server() -> None:
    part = Partial(what="")
    one, other = view(100), view(200)
    one.counters["prompt_tokens"], other.counters["prompt_tokens"] = 500, 450
    timeline([one, other], part)
    assert part.conflicts[0].what == "scrapes are not of one server over time"


@pytest.mark.parametrize(
    ("first", "second", "seconds"), [(4, 4, 100 * 0.02 / 4), (4, 5, 100 * 0.02 / 4.5), (4, 9, None), (0, 4, None)]
)
def test_the_time_between_is_derived_only_under_a_steady_load(
    first: float, second: float, seconds: float | None
) -> None:
    run = timeline([view(100, running=first), view(200, running=second)], Partial(what=""))
    assert run.seconds == (None if seconds is None else pytest.approx(seconds))
    assert run.derived is (seconds is not None)


def test_a_stated_time_outranks_the_derived_and_a_date_the_stated() -> None:
    assert timeline([view(100), view(200)], Partial(what=""), 30).seconds == 30
    assert timeline([view(100, time=0), view(200, time=15)], Partial(what=""), 30).seconds == 15


def test_engines_are_paired_by_rank_when_one_was_scraped_more_often() -> None:
    views = [
        view(100, time=0, owner="a"),
        view(10, time=1, owner="b"),
        view(200, time=30, owner="a"),
        view(300, time=60, owner="a"),
    ]
    run = timeline(views, Partial(what=""))
    assert len(run.views) == 1
    assert run.last.counters["generation_tokens"] == 310


def test_the_difference_of_a_histogram_that_is_missing_is_empty() -> None:
    assert difference(view(1), view(2), "e2e_request_latency_seconds").count == 0
