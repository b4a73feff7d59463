"""Everything pasted, joined: precedence, order, repeats, contradictions, and hostile input."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captures import RUNS, SERVED, capture, server, texts
from vllm_triage.domain import Measured, Observation
from vllm_triage.readers.evidence import MEASURED, read_evidence


def values(seen: Observation) -> dict[str, float]:
    return {name: found.value for name in MEASURED if (found := getattr(seen, name)) is not None}


def alike(one: Observation, other: Observation) -> bool:
    return one.but(sources=(), unread=()) == other.but(sources=(), unread=())


@pytest.mark.parametrize("run", RUNS)
def test_everything_pasted_of_a_real_run_is_recognised(run: str) -> None:
    seen = read_evidence(texts(run))
    assert "not recognised" not in " ".join(seen.sources)
    assert len(seen.sources) == len(texts(run))
    assert seen.vllm_version == (
        "0.18.0" if run.startswith("v018") else None if run == "fail-unknown-flag" else "0.32.0"
    )
    assert seen.pool is not None
    if run in SERVED:
        assert seen.missing_core() == ()
        assert seen.device == "CPU"
        assert seen.pool.tokens is not None
    elif run.startswith("fail"):
        assert seen.pool.error


@pytest.mark.parametrize("run", ["seqs4", "tinykv-preempt", "v018-blocks-preempt", "spec-draft"])
def test_the_order_of_the_texts_changes_nothing(run: str) -> None:
    pasted = texts(run)
    wanted = read_evidence(pasted)
    for seed in range(3):
        shuffled = random.Random(seed).sample(pasted, len(pasted))  # noqa: S311
        assert alike(read_evidence(shuffled), wanted)


def test_a_text_pasted_twice_changes_nothing_and_is_said() -> None:
    pasted = texts("mid-kvfull")
    seen = read_evidence([*pasted, *reversed(pasted)])
    assert alike(seen, read_evidence(pasted))
    assert seen.sources[-1] == "the same as text 1"


def test_all_texts_in_one_paste_are_told_apart() -> None:
    pasted = [server("kv_1"), server("kv_2")]
    assert alike(read_evidence(["\n".join(pasted)]), read_evidence(pasted))
    together = read_evidence([f"TTFT p99 is 9 s at 64 users\n{capture('seqs4', 'metrics_during.txt')}"])
    assert together.running is not None
    assert together.running.value == 4
    assert together.ttft_ms_p99 == Measured(value=9000.0, source='statement: "TTFT p99 is 9 s at 64 users"')


def test_the_client_tells_latencies_and_the_server_gauges() -> None:
    seen = read_evidence(texts("seqs4"))
    assert seen.ttft_ms_mean is not None
    assert seen.ttft_ms_mean.source == "vllm bench serve: mean_ttft_ms"
    assert seen.waiting is not None
    assert seen.waiting.source.startswith("metrics: vllm:num_requests_waiting")
    assert seen.queue_ms_mean is not None
    assert "between the scrapes" in seen.queue_ms_mean.source


def test_a_given_value_outranks_every_other_and_the_disagreement_is_told() -> None:
    seen = read_evidence([capture("default", "bench.json")], {"ttft_ms_mean": 9000.0, "kv_usage": 97.0})
    assert seen.ttft_ms_mean == Measured(value=9000.0, source="given")
    assert seen.kv_usage == Measured(value=0.97, source="given, read as percent")
    assert "ttft_ms_mean" in {c.what for c in seen.conflicts}


def test_a_given_value_that_is_no_measurement_or_no_metric_is_listed() -> None:
    seen = read_evidence([], {"ttft_ms_mean": float("nan"), "gpu_util": 99.0, "itl_ms_mean": -1.0})
    assert not values(seen)
    assert len(seen.unread) == 3


def test_the_printed_report_beside_its_json_is_the_same_run() -> None:
    seen = read_evidence([capture("default", "bench.json"), capture("default", "bench.txt")])
    assert not seen.unread
    assert not seen.conflicts


def test_of_two_runs_the_later_is_read_whole_and_the_other_named() -> None:
    older = json.loads(capture("default", "bench.json")) | {
        "date": "20250101-000000",
        "max_concurrency": 500,
        "mean_ttft_ms": 1.0,
    }
    seen = read_evidence([capture("default", "bench.json"), json.dumps(older)])
    assert seen.ttft_ms_mean is not None
    assert seen.ttft_ms_mean.value == json.loads(capture("default", "bench.json"))["mean_ttft_ms"]
    assert any("another vllm bench serve result" in line for line in seen.unread)


def test_contradictions_between_sources_are_reported_and_not_averaged() -> None:
    seen = read_evidence(
        [capture("seqs4", "bench.json"), capture("seqs4", "metrics_before.txt"), capture("seqs4", "metrics_after.txt")]
    )
    assert seen.ttft_ms_mean is not None
    assert seen.ttft_ms_mean.value == json.loads(capture("seqs4", "bench.json"))["mean_ttft_ms"]
    (conflict,) = [c for c in seen.conflicts if c.what == "ttft_ms_mean"]
    assert len(conflict.values) == 2


def test_gpu_utilisation_in_any_form_changes_nothing_but_the_list_of_what_was_ignored() -> None:
    pasted = [server("seqs_1"), server("seqs_2"), "TTFT p99 9s at 64 users"]
    wanted = read_evidence(pasted)
    forms = [
        ['DCGM_FI_DEV_GPU_UTIL{gpu="0"} 99\n' + pasted[0], pasted[1], pasted[2]],
        [*pasted, "nvidia-smi says GPU-Util 98%"],
        [pasted[0], pasted[1], "TTFT p99 9s at 64 users, GPU utilization 98%"],
        [*pasted, "| 0  NVIDIA H100 80GB HBM3 | 71000MiB / 81559MiB | 98% Default | GPU-Util |"],
    ]
    for form in forms:
        seen = read_evidence(form)
        assert values(seen) == values(wanted)
        assert seen.conflicts == wanted.conflicts
        assert len(seen.ignored) == 1
        assert seen.ignored[0].why.startswith("gpu-util-ignored")


def test_irrelevant_metrics_and_words_change_nothing() -> None:
    pasted = [server("kv_1"), server("kv_2")]
    noisy = [server("kv_1") + 'node_load1{host="a"} 3\ngo_gc_total 4\n', server("kv_2")]
    assert values(read_evidence(noisy)) == values(read_evidence(pasted))
    assert values(read_evidence([*pasted, "it has been like this since Monday"])) == values(read_evidence(pasted))


def test_a_stated_interval_gives_undated_scrapes_their_rates() -> None:
    seen = read_evidence([server("kv_2"), "30 s apart", server("kv_1")])
    assert seen.output_tok_s is not None
    assert seen.output_tok_s.value == pytest.approx(16120.27 / 30, rel=1e-4)
    assert "derived" not in seen.output_tok_s.source


def test_one_scrape_alone_lacks_throughput_and_says_no_rate() -> None:
    assert read_evidence([server("kv_1")]).missing_core() == ("throughput",)
    assert read_evidence([server("kv_1"), server("kv_2")]).missing_core() == ()


def test_the_logs_pool_outranks_and_the_scrape_fills_in() -> None:
    seen = read_evidence([capture("seqs4", "startup.log"), capture("seqs4", "metrics_during.txt")])
    assert seen.pool is not None
    assert (seen.pool.source, seen.pool.tokens, seen.pool.available_kv_gib, seen.pool.block_size) == (
        "startup log",
        524288,
        0.25,
        128,
    )


def test_a_secret_in_a_logged_launch_is_blanked() -> None:
    log = capture("seqs4", "startup.log").replace(
        "'max_num_seqs': 4", "'max_num_seqs': 4, 'api_key': ['sk-abcdefghijklmnop1234']"
    )
    seen = read_evidence([log])
    assert seen.launch is not None
    assert "sk-abc" not in seen.to_json().__repr__()
    assert "--max-num-seqs 4" in seen.launch


def test_terminal_colours_are_looked_through() -> None:
    plain = capture("fail-maxlen-kv", "startup.log")
    for start, end in (("\x1b[1;36m", "\x1b[0;0m"), ("#033[1;36m", "#033[0;0m")):
        coloured = plain.replace("(EngineCore", f"{start}(EngineCore").replace("pid=32525)", f"pid=32525){end}")
        assert read_evidence([coloured]).pool == read_evidence([plain]).pool


def test_a_log_wrapped_in_json_lines_is_read_as_the_log() -> None:
    wrapped = "\n".join(
        json.dumps({"log": line + "\n", "stream": "stderr"})
        for line in capture("v018-seqs4", "startup.log").splitlines()
    )
    seen = read_evidence([wrapped])
    assert seen.pool is not None
    assert seen.pool.tokens == 2_097_152


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("hello", "not recognised: hello"),
        ('{"mean_ttft_ms": 3, "p99', "does not parse"),
        ("%PDF-1.4 \x00\x01\x02 binary", "not recognised"),
        ("<html><body>404</body></html>", "not recognised"),
        ("rm -rf / ; $(curl evil)", "not recognised"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_said_without_control_characters(text: str, words: str) -> None:
    seen = read_evidence([text])
    assert not values(seen)
    assert words in " ".join(seen.unread)
    assert all(line.isprintable() and len(line) <= 260 for line in seen.unread)


def test_a_text_that_is_no_text_is_said_to_be_none() -> None:
    seen = read_evidence([b"bytes", None])  # type: ignore[list-item]
    assert seen.sources == ("not text", "not text")


def test_ten_mebibytes_are_read_and_a_longer_text_is_cut_and_said() -> None:
    many = server("kv_1") + "".join(f'node_x_total{{cpu="{i}"}} {i}\n' for i in range(300_000))
    assert len(many) > 8 * 2**20
    seen = read_evidence([many])
    assert seen.running is not None
    assert seen.running.value == 118
    line = read_evidence(["x" * (17 * 2**20)])
    assert any("only the first 16 MiB" in entry for entry in line.unread)


def test_a_hundred_texts_are_too_many_and_said() -> None:
    seen = read_evidence([f"text {i}" for i in range(100)])
    assert any("36 more text(s)" in line for line in seen.unread)
    assert len(seen.unread) <= 61


@pytest.mark.parametrize("file", ["bench.json", "bench.txt", "metrics_after.txt", "startup.log", "engine.log"])
def test_a_file_cut_anywhere_is_read_as_far_as_it_goes(file: str) -> None:
    text = capture("tinykv-preempt", file)
    whole = read_evidence([text])
    for cut in range(0, len(text), max(1, len(text) // 12)):
        seen = read_evidence([text[:cut], text[cut:]])
        assert len(seen.sources) == 2
        assert values(seen) or seen.pool or seen.unread or cut == 0, cut
        told = {name.removesuffix("_max") for name in values(seen)}  # two texts may differ, and the larger is told then
        assert told <= values(whole).keys()


@given(
    st.lists(
        st.text(max_size=120)
        | st.sampled_from(
            ["TTFT 9 s", "vllm:num_requests_running 4", '{"mean_ttft_ms": NaN, "output_throughput": 1e999}']
        ),
        max_size=4,
    )
)
@settings(max_examples=80, deadline=None)
def test_nothing_pasted_raises(pasted: list[str]) -> None:
    seen = read_evidence(pasted)
    assert len(seen.sources) == len(pasted)


@given(st.sampled_from(["bench.json", "metrics_during.txt", "startup.log"]), st.integers(0, 5000), st.text(max_size=30))
@settings(max_examples=30, deadline=None)
def test_a_real_file_damaged_in_one_place_raises_nothing(file: str, at: int, damage: str) -> None:
    text = capture("seqs4", file)
    seen = read_evidence([text[:at] + damage + text[at + len(damage) :]])
    assert all(value >= 0 for value in values(seen).values())


def test_the_summary_of_a_sweep_is_read_at_its_heaviest_run_and_in_no_other_way() -> None:
    header = ",max_concurrency,completed,mean_ttft_ms,mean_itl_ms,output_throughput,total_input_tokens"
    seen = read_evidence([f"{header}\n0,8,100,300,20,400,80000\n1,64,100,9000,45,1400,80000\n"])
    assert seen.concurrency is not None
    assert seen.concurrency.value == 64
    assert seen.input_tokens is not None
    assert seen.input_tokens.value == 800
    assert not seen.conflicts
    assert any("at 8 concurrency" in line for line in seen.unread)


SGLANG = """# TYPE sglang:num_running_reqs gauge
sglang:num_running_reqs{model_name="m",tp_rank="0"} 60
sglang:num_running_reqs{model_name="m",tp_rank="1"} 60
sglang:num_queue_reqs{model_name="m",tp_rank="0"} 40
sglang:token_usage{model_name="m",tp_rank="0"} 0.97
sglang:gen_throughput{model_name="m",tp_rank="0"} 2000
sglang:time_to_first_token_seconds_sum{model_name="m"} 4000
sglang:time_to_first_token_seconds_count{model_name="m"} 1000
sglang:time_per_output_token_seconds_sum{model_name="m"} 6000
sglang:time_per_output_token_seconds_count{model_name="m"} 200000
"""


def test_the_metrics_of_another_engine_are_read_and_said_to_be_its_own() -> None:
    seen = read_evidence([SGLANG])
    found = values(seen)
    assert (found["running"], found["waiting"], found["kv_usage"]) == (60, 40, 0.97)
    assert (found["ttft_ms_mean"], found["itl_ms_mean"], found["output_tok_s"]) == (4000, 30, 2000)
    assert any("SGLang" in line for line in seen.unread)
