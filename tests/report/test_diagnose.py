"""The main job: a launch and its measurements in, one page out."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.domain import Exhausted, Json
from vllm_triage.engine.change import with_flags
from vllm_triage.engine.deployment import deploy
from vllm_triage.report.answers.diagnose import Answer
from vllm_triage.report.reading import read
from vllm_triage.report.tools import call
from vllm_triage.verdicts.advice import Situation
from vllm_triage.verdicts.advice.plans import plan_for
from vllm_triage.verdicts.bottleneck import classify
from vllm_triage.verdicts.compat import check

RUNS = Path(__file__).parent.parent / "data" / "runs"
CORE = {
    "input_tokens": 217, "output_tokens": 202, "concurrency": 1000, "output_tok_s": 1605, "ttft_ms_mean": 52_000, "tpot_ms_mean": 146,
}  # fmt: skip
G5 = {"command": "vllm serve Qwen/Qwen3-14B-FP8", "vllm_version": "0.11.0", "gpu": "A100 80GB", **CORE}


def diagnose(**arguments: object) -> Answer:
    answer = call("diagnose", arguments)
    assert isinstance(answer, Answer)
    return answer


def capture(name: str, *files: str) -> dict[str, Any]:
    folder = RUNS / name
    return {
        "command": (folder / "command.txt").read_text(encoding="utf-8"),
        "evidence": [(folder / file).read_text(encoding="utf-8") for file in files],
    }


def test_a_queue_behind_four_seats_is_named_and_the_seats_are_the_first_thing_to_raise() -> None:
    """A real vLLM 0.32 on CPU with --max-num-seqs 4 and 32 clients."""
    answer = diagnose(**capture("seqs4", "startup.log", "bench.json", "metrics_during.txt"))
    assert answer.verdict["bottleneck"] == "queue_stall"
    first = answer.recommendations[0]
    assert (first["flag"], first["from"], first["to"]) == ("--max-num-seqs", 4, 32)
    assert "none fatal" in str(first["cleared_by"])
    assert "replicas" in " ".join(answer.will_not_help)


def test_a_starved_pool_pinned_by_bytes_is_widened_and_utilisation_is_not_blamed() -> None:
    """A real vLLM 0.32 on CPU with a pool of 2 MiB."""
    answer = diagnose(**capture("tinykv-preempt", "startup.log", "bench.json", "metrics_during.txt"))
    assert answer.verdict["bottleneck"] == "kv_starvation"
    assert answer.recommendations[0]["flag"] == "--kv-cache-memory-bytes"
    assert not [r for r in answer.recommendations if r["flag"] == "--gpu-memory-utilization"]


def test_a_pool_capped_by_a_block_override_is_unpinned_first() -> None:
    answer = diagnose(**capture("blocks-override", "startup.log", "bench.json", "metrics_during.txt"))
    assert answer.verdict["bottleneck"] == "kv_starvation"
    assert answer.recommendations[0]["flag"] == "--num-gpu-blocks-override"


@pytest.mark.parametrize(
    ("run", "flag"), [("fail-maxlen-kv", "--kv-cache-memory-bytes"), ("fail-default-mem", "--gpu-memory-utilization")]
)
def test_a_start_that_failed_for_memory_gets_a_computed_way_out(run: str, flag: str) -> None:
    answer = diagnose(**capture(run, "startup.log"))
    assert answer.verdict["outside"] == "startup_failure"
    assert answer.recommendations[0]["flag"] == flag


@pytest.mark.parametrize("run", ["fail-tp2", "fail-nochunk-mbt"])
def test_a_start_refused_by_the_configuration_quotes_the_engine_where_the_model_is_not_known(run: str) -> None:
    answer = diagnose(**capture(run, "startup.log"))
    assert answer.verdict["outside"] == "startup_failure"
    assert "the error names what to change" in answer.report


def test_the_page_shows_what_the_arithmetic_used_for_a_published_case() -> None:
    """G5 of the published cases: Qwen3-14B-FP8 on one A100, 1000 requests at once."""
    answer = diagnose(**G5)
    assert answer.verdict["bottleneck"] == "queue_stall"
    for shown in ("R (decoding at once) 234", "scheduler seats 256", "token budget 2,048"):
        assert shown in answer.report


@pytest.mark.parametrize(
    "left_out", [("ttft_ms_mean",), ("tpot_ms_mean",), ("output_tok_s",), ("concurrency",), tuple(CORE)]
)
def test_without_a_core_metric_the_answer_asks_for_it_and_recommends_nothing(left_out: tuple[str, ...]) -> None:
    answer = diagnose(**{k: v for k, v in G5.items() if k not in left_out})
    assert (answer.status, answer.recommendations, answer.will_not_help) == ("refused", [], [])
    assert answer.refusals[0]["rule"] == "core-metrics"
    names = {"ttft_ms_mean": "TTFT", "tpot_ms_mean": "ITL", "output_tok_s": "throughput", "concurrency": "concurrency"}
    assert all(names[n] in str(answer.refusals[0]["message"]) for n in left_out if n in names)


def test_a_ceiling_below_0_70_stops_the_tuning_and_offers_only_to_raise_it() -> None:
    answer = diagnose(**{**G5, "command": G5["command"] + " --gpu-memory-utilization 0.5"})
    assert answer.status == "refused"
    assert [(r["flag"], r["to"]) for r in answer.recommendations] == [("--gpu-memory-utilization", 0.9)]


def test_an_acknowledged_ceiling_lets_the_tuning_go_on_and_stays_in_the_answer() -> None:
    command = str(G5["command"]) + " --gpu-memory-utilization 0.5"
    answer = diagnose(**{**G5, "command": command, "acknowledge": ["raise-ceiling-first"]})
    assert answer.status != "refused"
    assert [(r["rule"], r["acknowledged"]) for r in answer.refusals] == [("raise-ceiling-first", True)]
    assert not [r for r in answer.recommendations if r["flag"] == "--gpu-memory-utilization"]


def test_gpu_utilisation_changes_nothing_and_is_said_to_be_ignored() -> None:
    plain = diagnose(**G5)
    with_util = diagnose(**G5, evidence=['DCGM_FI_DEV_GPU_UTIL{gpu="0"} 99'])
    assert (plain.verdict, plain.recommendations) == (with_util.verdict, with_util.recommendations)
    assert "DCGM_FI_DEV_GPU_UTIL" in with_util.report


def test_a_missed_target_is_named_with_both_figures() -> None:
    answer = diagnose(**G5, slo={"ttft_ms_mean": 2000, "tpot_ms_mean": 200})
    assert {o.metric: o.met for o in answer.slo} == {"ttft_ms_mean": False, "tpot_ms_mean": True}
    assert "ttft_ms_mean 52,000 against 2,000" in answer.summary


def test_an_unknown_target_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(ValueError, match="ttft_ms_p99"):
        diagnose(**G5, slo={"ttft": 2000})


def test_the_report_is_one_page_and_ends_with_what_to_measure_next() -> None:
    report = diagnose(**capture("seqs4", "startup.log", "bench.json", "metrics_during.txt")).report
    assert len(report) < 8000
    closing = report.split("## What to measure next")[1]
    assert any(name in closing for name in ("P99 ITL", "block allocation rate", "WAITING queue depth"))


def test_full_detail_gives_the_parts_as_their_own_tools_do() -> None:
    full = diagnose(**G5, detail="full")
    deployment = {k: G5[k] for k in ("command", "vllm_version", "gpu")}
    assert full.reading == call("parse_vllm_command", deployment).to_json()
    assert full.compat == call("check_compat", deployment).to_json()


FLAGS = st.lists(
    st.sampled_from([
        "--max-num-seqs 8", "--max-num-seqs 512", "--max-num-batched-tokens 2048", "--max-num-batched-tokens 16384", "-tp 2", "-tp 3",
        "--gpu-memory-utilization 0.95", "--gpu-memory-utilization 0.6", "--kv-cache-dtype fp8", "--enforce-eager",
        "--no-enable-chunked-prefill", "--no-enable-prefix-caching", "--no-async-scheduling", "--max-model-len 4096",
        "--kv-cache-memory-bytes 2g", "--num-gpu-blocks-override 100", "--quantization fp8", "--long-prefill-token-threshold 256",
        '--speculative-config \'{"method":"ngram","num_speculative_tokens":3}\'',
    ]),
    max_size=4, unique_by=lambda flag: flag.split()[0],
)  # fmt: skip
LOAD = st.fixed_dictionaries({
    "input_tokens": st.integers(1, 30_000), "output_tokens": st.integers(1, 2_000), "concurrency": st.integers(1, 1_000),
    "output_tok_s": st.floats(1, 20_000), "ttft_ms_mean": st.floats(1, 500_000), "tpot_ms_mean": st.floats(1, 500),
    "itl_ms_p99": st.floats(1, 3_000),
})  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(
    flags=FLAGS, load=LOAD, version=st.sampled_from(["0.11.2", "0.18.0", "0.23.0", "0.33.0"]),
    gpu=st.sampled_from(["L4", "A100", "2x H100", "B200"]),
    model=st.sampled_from(["Qwen/Qwen3-8B", "Qwen/Qwen3-32B", "deepseek-ai/DeepSeek-V2-Lite", "google/gemma-3-27b-it"]),
)  # fmt: skip
def test_no_recommendation_breaks_a_policy_or_the_launch(
    flags: list[str], load: dict[str, float], version: str, gpu: str, model: str
) -> None:
    command = " ".join(["vllm serve", model, *flags])
    reading = read(command, version, gpu, None, (), load)
    assert reading.deployment is not None
    verdict = classify(reading.deployment, reading.observation, reading.memory, reading.roofline)
    situation = Situation(reading.deployment, reading.observation, reading.memory, reading.roofline, verdict)
    changes = {
        k.action: k.changes for knob in plan_for(verdict).knobs if not isinstance(k := knob(situation), Exhausted)
    }
    answer = diagnose(command=command, vllm_version=version, gpu=gpu, **load)
    launch_starts = check(reading.deployment).ok
    for r in answer.recommendations:
        if launch_starts and r["action"] in changes:
            assert check(with_flags(reading.deployment, changes[str(r["action"])])).ok
        adds_gpus = r["kind"] == "scale_out" or r["flag"] in ("--tensor-parallel-size", "--data-parallel-size")
        assert bool(r["exhausted"]) or not (adds_gpus and launch_starts)
        assert r["flag"] != "--enable-chunked-prefill" or r["cleared_by"]
        text = f"{r['action']} {r['flag']} {r['to']}"
        assert "GPU_UTIL" not in text
    if [x for x in answer.refusals if x["rule"] == "core-metrics"]:
        assert not answer.recommendations


def change(command: str, changes: dict[str, Json]) -> dict[str, Json]:
    deployment = deploy(command, "0.33.0", "H100")
    return {
        name: with_flags(deployment, changes).setting(name)
        for name in ("max_num_seqs", "max_model_len", "enable_prefix_caching")
    }


def test_a_changed_launch_keeps_what_was_not_changed() -> None:
    after = change("vllm serve Qwen/Qwen3-8B --max-model-len 8192 --no-enable-prefix-caching", {"max_num_seqs": 99})
    assert after == {"max_num_seqs": 99, "max_model_len": 8192, "enable_prefix_caching": False}


def test_a_flag_taken_out_returns_to_the_default() -> None:
    after = change("vllm serve Qwen/Qwen3-8B --no-enable-prefix-caching", {"enable_prefix_caching": None})
    assert after["enable_prefix_caching"] is True
