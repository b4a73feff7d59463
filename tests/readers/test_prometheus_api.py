import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.domain import Json
from vllm_triage.readers.metrics import read_metrics
from vllm_triage.readers.prometheus_api import read_prometheus_json

T = 1_700_000_000


def reply(*rows: tuple[dict[str, str], list[tuple[float, str]]], kind: str = "matrix") -> Json:
    result = [
        {
            "metric": labels,
            **({"value": list(points[0])} if kind == "vector" else {"values": [list(p) for p in points]}),
        }
        for labels, points in rows
    ]
    return json.loads(json.dumps({"status": "success", "data": {"resultType": kind, "result": result}}))  # type: ignore[no-any-return]


def series(name: str, instance: str = "a") -> dict[str, str]:
    return {"__name__": f"vllm:{name}", "model_name": "m", "instance": instance}


def test_an_instant_vector_of_named_series_is_one_scrape_of_all_replicas() -> None:
    found = read_prometheus_json(reply(
        (series("num_requests_running", "a"), [(T, "4")]), (series("num_requests_running", "b"), [(T, "6")]),
        (series("kv_cache_usage_perc", "b"), [(T, "0.99")]), kind="vector",
    ))  # fmt: skip
    assert found is not None
    part = read_metrics(found[1])
    assert part is not None
    assert (part.get("running"), part.get("kv_usage"), part.engines) == (10, 0.99, 2)


def test_a_range_of_a_counter_gives_its_rate() -> None:
    found = read_prometheus_json(
        reply((series("generation_tokens_total"), [(T, "1000"), (T + 15, "2500"), (T + 30, "4000")]))
    )
    assert found is not None
    part = read_metrics(found[1])
    assert part is not None
    assert part.get("output_tok_s") == pytest.approx(100)


def test_a_long_range_is_thinned_and_keeps_its_ends() -> None:
    found = read_prometheus_json(reply((series("num_requests_running"), [(T + i, str(i)) for i in range(5000)])))
    assert found is not None
    assert len(found[1]) <= 40
    assert (found[1][0].time, found[1][-1].time) == (T, T + 4999)


@pytest.mark.parametrize(
    ("expression", "value", "field", "wanted"),
    [
        (
            "histogram_quantile(0.99, sum by(le) (rate(vllm:time_to_first_token_seconds_bucket[5m])))",
            9.2,
            "ttft_ms_p99",
            9200,
        ),
        (
            "histogram_quantile(0.5, sum(rate(vllm:inter_token_latency_seconds_bucket[1m])) by (le))",
            0.03,
            "itl_ms_p50",
            30,
        ),
        (
            "rate(vllm:e2e_request_latency_seconds_sum[5m]) / rate(vllm:e2e_request_latency_seconds_count[5m])",
            12.0,
            "e2e_ms_mean",
            12000,
        ),
        ("sum(rate(vllm:generation_tokens_total[1m]))", 850.0, "output_tok_s", 850),
        ("sum(vllm:num_requests_waiting)", 40.0, "waiting", 40),
        ("max(vllm:gpu_cache_usage_perc)", 0.97, "kv_usage", 0.97),
    ],
)
def test_a_computed_series_is_read_by_its_expression(expression: str, value: float, field: str, wanted: float) -> None:
    frame = {
        "schema": {
            "meta": {"executedQueryString": f"Expr: {expression}\nStep: 15s"},
            "fields": [{"name": "Time"}, {"name": "Value", "labels": {}}],
        },
        "data": {"values": [[T * 1000, (T + 15) * 1000], [value, value]]},
    }
    found = read_prometheus_json({"results": {"A": {"status": 200, "frames": [frame]}}})  # type: ignore[dict-item]
    assert found is not None
    assert found[0].get(field) == pytest.approx(wanted)


def test_an_expression_that_is_not_understood_is_listed() -> None:
    found = read_prometheus_json(reply(({}, [(T, "3")])))
    assert found is not None
    assert not found[0].readings
    assert "without its expression" in found[0].unread[0]


def test_an_error_reply_and_nan_are_listed() -> None:
    found = read_prometheus_json({"status": "error", "errorType": "bad_data", "error": "parse error"})
    assert found is not None
    assert "bad_data: parse error" in found[0].unread[0]
    found = read_prometheus_json(
        {
            "status": "success",
            "query": "sum(vllm:num_requests_waiting)",
            "data": {"resultType": "scalar", "result": [T, "NaN"]},
        }
    )
    assert found is not None
    assert "no finite value" in found[0].unread[0]


def test_gpu_utilisation_is_dropped() -> None:
    found = read_prometheus_json(reply(({"__name__": "DCGM_FI_DEV_GPU_UTIL"}, [(T, "99")]), kind="vector"))
    assert found is not None
    assert not found[1]
    assert found[0].ignored[0].signal == "DCGM_FI_DEV_GPU_UTIL"


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"data": {}},
        {"results": {}},
        {"results": {"A": 3}},
        {"status": "success", "data": {"resultType": "streams"}},
    ],
)
def test_other_json_is_no_reply(document: Json) -> None:
    assert read_prometheus_json(document) is None


@given(
    st.recursive(
        st.none() | st.integers(-5, 5) | st.sampled_from(["NaN", "1", "vector"]),
        lambda x: (
            st.lists(x, max_size=3)
            | st.dictionaries(
                st.sampled_from(["metric", "value", "values", "result", "frames", "schema", "fields", "data"]),
                x,
                max_size=4,
            )
        ),
        max_leaves=10,
    )
)
@settings(max_examples=100, deadline=None)
def test_no_shape_of_reply_breaks_the_reader(inside: Json) -> None:
    for kind in ("vector", "matrix", "scalar"):
        found = read_prometheus_json({"data": {"resultType": kind, "result": inside}})
        assert found is not None
        part, scrapes = found
        assert part.what == f"Prometheus API reply ({kind})"
        assert all(series.value is not None for scrape in scrapes for name in scrape.samples for series in scrape.series(name))
        assert all(math.isfinite(reading.value) for reading in part.readings)
    replied = read_prometheus_json({"results": {"A": {"frames": inside}}})
    assert replied is None or replied[0].what == "Grafana query reply"
