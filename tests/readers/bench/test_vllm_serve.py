import json

import pytest

from captures import SERVED, capture
from vllm_triage.readers.bench import read_bench_json, read_bench_text
from vllm_triage.readers.reading import Partial

OLD_TEXT = """Traffic request rate: inf
============ Serving Benchmark Result ============
Successful requests:                     500
Benchmark duration (s):                  978.47
Total input tokens:                      2000000
Total generated tokens:                  100000
Request throughput (req/s):              0.51
Output token throughput (tok/s):         102.20
Total Token throughput (tok/s):          2149.00
---------------Time to First Token----------------
Mean TTFT (ms):                          482,000.00
Median TTFT (ms):                        480000.00
P99 TTFT (ms):                           900000.00
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          66.60
---------------Inter-token Latency----------------
Median ITL (ms):                         43.00
P99 ITL (ms):                            1395.00
==================================================
"""


def values(part: Partial | None) -> dict[str, float]:
    assert part is not None
    return {r.name: r.value for r in part.readings}


@pytest.mark.parametrize("run", SERVED)
def test_the_json_and_the_printed_report_of_one_run_say_the_same(run: str) -> None:
    document = json.loads(capture(run, "bench.json"))
    from_json, from_text = values(read_bench_json(document)), values(read_bench_text(capture(run, "bench.txt")))
    assert from_json["ttft_ms_mean"] == document["mean_ttft_ms"]
    assert from_json["output_tok_s"] == document["output_throughput"]
    assert from_json["concurrency"] == document["max_concurrency"] or document["max_concurrency"] is None
    assert from_json["output_tokens"] == document["total_output_tokens"] / document["completed"]
    assert from_text.keys() <= from_json.keys()
    for name, value in from_text.items():
        assert value == pytest.approx(from_json[name], abs=0.0051, rel=5e-3), name


def test_streaming_artefacts_are_kept_as_printed_with_the_end_to_end_time_beside_them() -> None:
    found = values(read_bench_json(json.loads(capture("seqs4", "bench.json"))))
    assert found["tpot_ms_p50"] < 0.01
    assert found["e2e_ms_mean"] == pytest.approx(1626.8, abs=0.1)


def test_the_report_of_0_11_is_read_and_everything_sent_at_once_is_the_concurrency() -> None:
    part = read_bench_text("Namespace(model='Qwen/Qwen3-32B', num_prompts=500)\n" + OLD_TEXT)
    found = values(part)
    assert (found["ttft_ms_mean"], found["itl_ms_p99"], found["total_tok_s"]) == (482_000, 1395, 2149)
    assert (found["input_tokens"], found["output_tokens"], found["concurrency"]) == (4000, 200, 500)
    assert part is not None
    assert part.model_name == "Qwen/Qwen3-32B"


def test_a_finite_rate_without_a_limit_gives_the_concurrency_of_littles_law() -> None:
    document = json.loads(capture("default", "bench.json")) | {"max_concurrency": None, "request_rate": 5.0}
    found = values(read_bench_json(document))
    held = found["ttft_ms_mean"] + (found["output_tokens"] - 1) * found["tpot_ms_mean"]
    assert found["concurrency"] == pytest.approx(found["request_rate"] * held / 1000)


def test_the_acceptance_rate_is_in_percent_in_the_file_and_a_fraction_here() -> None:
    found = values(read_bench_json(json.loads(capture("spec-draft", "bench.json"))))
    assert 0 <= found["acceptance_rate"] <= 1
    assert found["acceptance_length"] >= 1


def test_nan_negative_and_text_are_listed_and_not_read() -> None:
    document = json.loads(capture("default", "bench.json")) | {
        "mean_ttft_ms": float("nan"),
        "output_throughput": -3,
        "p99_ttft_ms": "fast",
    }
    part = read_bench_json(document)
    found = values(part)
    assert part is not None
    assert not found.keys() & {"ttft_ms_mean", "output_tok_s", "ttft_ms_p99"}
    assert len(part.unread) == 3


def test_of_a_sweep_the_heaviest_run_is_read_and_the_others_are_named() -> None:
    base = json.loads(capture("default", "bench.json"))
    runs = [base | {"max_concurrency": c, "run_number": i} for i, c in enumerate((8, 64, 32))]
    part = read_bench_json(runs)
    assert part is not None
    assert values(part)["concurrency"] == 64
    assert sum("concurrency" in line for line in part.unread) == 2


def test_the_csv_of_a_sweep_is_read_like_its_json() -> None:
    base = json.loads(capture("default", "bench.json"))
    plain = {k: v for k, v in base.items() if not isinstance(v, list | dict)}
    rows = [plain | {"max_concurrency": c} for c in (8, 64)]
    csv = "\n".join([",".join(plain), *(",".join("" if v is None else str(v) for v in row.values()) for row in rows)])
    found, wanted = values(read_bench_text(csv)), values(read_bench_json(rows))
    assert found == wanted
    assert found["concurrency"] == 64


def test_a_report_cut_off_is_read_as_far_as_it_goes() -> None:
    part = read_bench_text(OLD_TEXT[: OLD_TEXT.index("-----Time per")])
    assert values(part)["ttft_ms_mean"] == 482_000
    assert "tpot_ms_mean" not in values(part)


@pytest.mark.parametrize("document", [None, 3, "text", [], {}, {"mean_ttft_ms": 3}, {"choices": []}, [1, "a", None]])
def test_other_json_is_no_benchmark(document: object) -> None:
    assert read_bench_json(document) is None  # type: ignore[arg-type]
