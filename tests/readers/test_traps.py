"""What pasted metrics get wrong, and what must come of it all the same."""

import json
from typing import Any

import pytest

from vllm_triage.domain import Observation
from vllm_triage.readers.evidence import read_evidence

ENGINE = 'model_name="m",engine="{}"'
APART = "the scrapes are 10 s apart"


def histogram(name: str, total: float, count: float, buckets: dict[str, float], labels: str) -> list[str]:
    lines = [f'vllm:{name}_bucket{{{labels},le="{le}"}} {value}' for le, value in buckets.items()]
    return [*lines, f"vllm:{name}_sum{{{labels}}} {total}", f"vllm:{name}_count{{{labels}}} {count}"]


def scrape(done: float, *, engine: int = 0, running: float = 60, kv: float = 0.97, infinity: bool = True) -> str:
    """A server that finished `done` requests of 200 tokens, 4 s to the first and 30 ms to each other."""
    labels, tokens = ENGINE.format(engine), 200 * done
    last = {"+Inf": done} if infinity else {}
    lines = [
        f"vllm:num_requests_running{{{labels}}} {running}",
        f"vllm:num_requests_waiting{{{labels}}} 40",
        f"vllm:kv_cache_usage_perc{{{labels}}} {kv}",
        f"vllm:generation_tokens_total{{{labels}}} {tokens}",
        f"vllm:prompt_tokens_total{{{labels}}} {800 * done}",
        *histogram("time_to_first_token_seconds", 4 * done, done, {"1": 0.1 * done, "10": done, **last}, labels),
        *histogram("inter_token_latency_seconds", 0.03 * tokens, tokens, {"0.025": 0.4 * tokens, "0.1": tokens}, labels),
    ]
    return "\n".join(lines) + "\n"


def told(seen: Observation) -> dict[str, float]:
    names = ("ttft_ms_mean", "ttft_ms_p50", "itl_ms_mean", "output_tok_s", "running", "waiting", "kv_usage")
    return {name: round(found.value, 6) for name in names if (found := getattr(seen, name)) is not None}


PLAIN = told(read_evidence([scrape(1000), scrape(1100), APART]))


def test_two_scrapes_of_one_server_are_the_interval_between_them() -> None:
    assert (PLAIN["output_tok_s"], PLAIN["ttft_ms_mean"], PLAIN["itl_ms_mean"]) == (2000, 4000, 30)


@pytest.mark.parametrize(
    "ending",
    ["# EOF\n", f"vllm:generation_tokens_created{{{ENGINE.format(0)}}} 1.7e9\n# EOF\n", "\n\n# a comment\n"],
)
def test_created_series_and_the_end_mark_of_openmetrics_change_nothing(ending: str) -> None:
    assert told(read_evidence([scrape(1000) + ending, scrape(1100) + ending, APART])) == PLAIN


def test_a_histogram_without_its_infinite_bucket_is_read_by_its_count() -> None:
    assert told(read_evidence([scrape(1000, infinity=False), scrape(1100, infinity=False), APART])) == PLAIN


def test_usage_in_percent_is_a_share() -> None:
    assert told(read_evidence([scrape(1000, kv=97), scrape(1100, kv=97), APART])) == PLAIN


def test_names_of_the_first_engine_are_those_of_today() -> None:
    def old(text: str) -> str:
        for new, then in (("kv_cache_usage_perc", "gpu_cache_usage_perc"), ("inter_token_latency", "time_per_output_token")):
            text = text.replace(new, then)
        return text + f"vllm:num_requests_swapped{{{ENGINE.format(0)}}} 0\n"

    assert told(read_evidence([old(scrape(1000)), old(scrape(1100)), APART])) == PLAIN


def test_a_restart_that_no_start_time_shows_gives_no_rate() -> None:
    seen = read_evidence([scrape(100_000), scrape(50), APART])
    assert seen.output_tok_s is None
    assert any("restart" in conflict.what for conflict in seen.conflicts)


def test_scrapes_of_different_engines_are_not_subtracted() -> None:
    both = scrape(1000) + scrape(900, engine=1, running=10)
    seen = read_evidence([both, scrape(1100), APART])
    assert seen.output_tok_s is None
    assert any("other engines" in line for line in seen.unread)


def test_the_engines_of_two_whole_scrapes_are_added() -> None:
    first, second = (scrape(n) + scrape(n - 100, engine=1, running=10) for n in (1000, 1100))
    seen = read_evidence([first, second, APART])
    assert told(seen)["output_tok_s"] == 4000
    assert told(seen)["running"] == 70
    assert seen.engine_imbalance is not None


QUERIES = {
    "histogram_quantile(0.95, sum by(le) (rate(vllm:time_to_first_token_seconds_bucket[5m])))": 3.2,
    "sum(rate(vllm:inter_token_latency_seconds_sum[5m])) / sum(rate(vllm:inter_token_latency_seconds_count[5m]))": 0.03,
    "sum(rate(vllm:generation_tokens_total[1m]))": 2000,
    "sum(vllm:num_requests_running)": 60,
    "avg(vllm:kv_cache_usage_perc) * 100": 97,
}


def frames() -> list[dict[str, Any]]:
    return [
        {
            "schema": {"meta": {"executedQueryString": f"Expr: {query}"}, "fields": [{"name": "Time"}, {"name": "Value"}]},
            "data": {"values": [[1e12, 1e12 + 1e4], [value, value]]},
        }
        for query, value in QUERIES.items()
    ]


def panel() -> list[dict[str, Any]]:
    return [
        {
            "state": "Done",
            "series": [
                {
                    "meta": frame["schema"]["meta"],
                    "fields": [
                        {**field, "values": values}
                        for field, values in zip(frame["schema"]["fields"], frame["data"]["values"], strict=True)
                    ],
                }
                for frame in frames()
            ],
        }
    ]


@pytest.mark.parametrize("reply", [{"results": {"A": {"frames": frames()}}}, frames(), panel()], ids=["api", "frames", "panel"])
def test_a_dashboard_panel_is_read_in_each_form_it_can_be_copied_in(reply: Any) -> None:
    seen = read_evidence([json.dumps(reply)])
    assert seen.ttft_ms_p95 is not None
    assert seen.ttft_ms_p95.value == pytest.approx(3200)
    assert told(seen) == {"itl_ms_mean": 30, "output_tok_s": 2000, "running": 60, "kv_usage": 0.97}
    assert not seen.missing_core()
