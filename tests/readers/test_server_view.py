import pytest

from captures import capture, server
from vllm_triage.readers.exposition import read_exposition
from vllm_triage.readers.server_view import View, view_of


def seen(text: str) -> tuple[View | None, list[str]]:
    unread: list[str] = []
    (scrape,) = read_exposition(text)[0]
    return view_of(scrape, unread), unread


def test_a_real_scrape_is_seen_whole() -> None:
    view, unread = seen(capture("default", "metrics_after.txt"))
    assert view is not None
    assert not unread
    assert (view.model, view.engines, len(view.histograms)) == ("tiny", 1, 10)
    assert view.start is not None
    ttft = view.histograms["time_to_first_token_seconds"]
    assert ttft.buckets[float("inf")] == ttft.count


def test_both_names_during_the_overlap_are_read_once_under_the_new_one() -> None:
    both = 'vllm:gpu_cache_usage_perc{model_name="m"} 0.2\nvllm:kv_cache_usage_perc{model_name="m"} 0.9\n'
    view, _ = seen(both)
    assert view is not None
    assert view.kv_usage == 0.9


def test_a_scrape_without_vllm_is_none() -> None:
    assert seen('node_load1{a="b"} 1\n')[0] is None


def test_waiting_follows_from_its_reasons_when_only_they_are_there() -> None:
    reasons = "".join(
        f'vllm:num_requests_waiting_by_reason{{reason="{r}"}} {n}\n' for r, n in (("capacity", 3), ("deferred", 4))
    )
    view, _ = seen(reasons)
    assert view is not None
    assert view.total("num_requests_waiting") == 7


@pytest.mark.parametrize("usage", ["4100", "1e9"])
def test_a_usage_beyond_all_percent_is_listed(usage: str) -> None:
    view, unread = seen(f'vllm:kv_cache_usage_perc{{model_name="m"}} {usage}\n')
    assert view is not None
    assert view.kv_usage is None
    assert "above 100 percent" in unread[0]


def test_two_views_join_into_one_server() -> None:
    one, _ = seen(server("kv_1"))
    other, _ = seen(server("kv_1").replace('engine="0"', 'engine="1"'))
    assert one is not None
    assert other is not None
    both = one.joined(other)
    assert (both.engines, both.running) == (2, 236)
    assert both.histogram("time_to_first_token_seconds").count == 2 * one.histogram("time_to_first_token_seconds").count
    assert both.histogram("time_to_first_token_seconds").mean() == one.histogram("time_to_first_token_seconds").mean()
    assert both.same_as(one.joined(other))
