import json
from typing import Any

import pytest
import yaml

from vllm_triage.readers.bench.benchmark_report import read_json, read_yaml
from vllm_triage.readers.evidence import read_evidence


def statistic(value: float, units: str) -> dict[str, Any]:
    return {"units": units, "mean": value, "p50": value, "p90": 2 * value, "p99": 3 * value}


def report(units: str = "s") -> dict[str, Any]:
    scale = 1000 if units == "ms" else 1
    aggregate = {
        "requests": {"total": 100, "failures": 1, "input_length": statistic(800, "count")},
        "latency": {
            "request_latency": statistic(6 * scale, units),
            "time_to_first_token": statistic(0.9 * scale, units),
            "inter_token_latency": statistic(0.025 * scale, f"{units}/token"),
        },
        "throughput": {"output_token_rate": {"units": "tokens/s", "mean": 2000}, "request_rate": {"mean": 10}},
    }
    return {"version": "0.2", "results": {"request_performance": {"aggregate": aggregate}}}


@pytest.mark.parametrize("text", [json.dumps(report()), yaml.safe_dump(report()), yaml.safe_dump(report("ms"))])
def test_a_report_is_read_in_either_form_and_either_unit(text: str) -> None:
    seen = read_evidence([text])
    assert seen.ttft_ms_mean is not None
    assert seen.ttft_ms_mean.value == pytest.approx(900)
    assert seen.itl_ms_p90 is not None
    assert seen.itl_ms_p90.value == pytest.approx(50)
    assert seen.concurrency is not None
    assert seen.concurrency.value == pytest.approx(60)
    assert not seen.missing_core()


def test_another_document_is_not_taken_for_a_report() -> None:
    assert read_json({"results": {"request_performance": []}}) is None
    assert read_yaml("request_performance: [aggregate: {") is None
