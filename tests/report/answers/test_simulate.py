"""``simulate_change``: each changed configuration beside the launch as it is."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vllm_triage.report import tools
from vllm_triage.report.answers.simulate import Answer
from vllm_triage.report.progress import watched

LAUNCH = {"command": "vllm serve Qwen/Qwen3-8B --max-num-seqs 8", "vllm_version": "0.30.0", "gpu": "H100"}
MEASURED = {
    "input_tokens": 800, "output_tokens": 60, "concurrency": 24, "output_tok_s": 650, "ttft_ms_mean": 1500, "tpot_ms_mean": 11,
}  # fmt: skip
LOAD = {"workload": "12 users, 500 in, 20 out"}


def simulate(**arguments: Any) -> Answer:
    answer = tools.call("simulate_change", {**LAUNCH, **arguments})
    assert isinstance(answer, Answer)
    return answer


def test_a_change_is_told_with_interval_pool_target_and_the_load_at_which_it_turns() -> None:
    answer = simulate(**MEASURED, changes=["--max-num-seqs 24"], slo={"ttft_ms_mean": 5000})
    assert (answer.status, answer.basis.startswith("calibrated on your numbers")) == ("simulated", True)
    [change] = answer.changes
    assert "TTFT" in change.verdict
    assert change.pool["before"] > change.pool["after"] > 0  # type: ignore[operator]
    assert [(s.metric, s.met) for s in change.slo] == [("ttft_ms_mean", True)]
    assert change.break_even is not None
    assert change.break_even.words
    assert {d["metric"] for d in change.differences} >= {"ttft_ms_mean", "tpot_ms_mean", "output_tok_s"}


def test_without_measurements_a_workload_is_enough_and_the_answer_says_it_is_not_calibrated() -> None:
    answer = simulate(**LOAD, changes=["--max-num-seqs 4"])
    assert answer.status == "simulated"
    assert "not calibrated" in answer.summary
    assert answer.workload["words"] == "12 users at once, 500 tokens in, 20 out"


def test_several_changes_are_compared_and_the_best_is_named() -> None:
    answer = simulate(**MEASURED, changes=["--max-num-seqs 4", "--max-num-seqs 24", "--block-size 32"])
    assert "Best of 3: --max-num-seqs 24" in answer.summary


def test_a_misspelt_flag_is_a_named_problem_and_the_others_are_simulated() -> None:
    answer = simulate(**LOAD, changes=["--max-num-sqes 4", "--max-num-seqs 4"])
    wrong, right = answer.changes
    assert "did you mean --max-num-seqs?" in wrong.verdict
    assert (wrong.prediction, wrong.effect) == (None, "unknown")
    assert right.prediction is not None


def test_a_launch_the_release_refuses_is_not_simulated_and_says_which_rule() -> None:
    answer = simulate(**LOAD, changes=["--max-num-batched-tokens 64 --no-enable-chunked-prefill"])
    [change] = answer.changes
    assert change.prediction is None
    assert any(finding["severity"] == "fatal" for finding in change.compat)


def test_a_launch_that_does_not_start_as_it_is_is_said_to_be_refused() -> None:
    command = LAUNCH["command"] + " --swap-space 4"
    answer = simulate(**{**LAUNCH, "command": command}, **LOAD, changes=["--max-num-seqs 4"])
    assert answer.summary.startswith("As it is vLLM 0.30.0 refuses this launch")
    assert answer.problems


def test_only_what_the_change_adds_is_told_of_compatibility() -> None:
    command = LAUNCH["command"] + " --no-enable-prefix-caching"
    [change] = simulate(**{**LAUNCH, "command": command}, **LOAD, changes=["--max-num-seqs 4"]).changes
    assert change.compat == []


def test_taking_out_what_is_not_there_changes_nothing_and_says_so() -> None:
    [change] = simulate(**LOAD, changes=["without --enforce-eager"]).changes
    assert "nothing changes" in change.verdict
    assert change.effect == "none"


def test_what_the_simulation_cannot_tell_of_a_change_is_said_with_it() -> None:
    command = LAUNCH["command"] + " --no-enable-prefix-caching"
    [change] = simulate(**{**LAUNCH, "command": command}, **LOAD, changes=["--enable-prefix-caching"]).changes
    assert "the prefix cache never hits" in change.verdict
    [shared] = simulate(
        **{**LAUNCH, "command": command}, changes=["--enable-prefix-caching"],
        workload={"arrivals": "closed", "concurrency": 8, "input": {"mean": 900}, "output": {"mean": 20}, "shared_prefix_tokens": 800},
    ).changes  # fmt: skip
    assert (shared.caveats, shared.effect) == ((), "better")


def test_what_the_engine_never_sees_is_said_to_change_nothing() -> None:
    [change] = simulate(**LOAD, changes=["--port 9000 --tool-call-parser hermes"]).changes
    assert (change.effect, "nothing the engine" in change.verdict) == ("none", True)


def test_a_change_that_takes_more_gpus_says_so() -> None:
    [change] = simulate(**LOAD, changes=["--tensor-parallel-size 2"]).changes
    assert change.verdict.endswith("on 2 GPUs instead of 1")


def test_the_pool_of_several_replicas_is_told_as_several() -> None:
    launch = {"gpu": "8x H200", "command": "vllm serve deepseek-ai/DeepSeek-V3 -tp 8"}
    text = simulate(**LOAD, **launch, changes=["-dp 8 -tp 1 --enable-expert-parallel"]).to_text()
    assert "-> 8 x " in text


def test_a_change_with_which_the_start_is_expected_to_fail_is_not_simulated() -> None:
    launch = {"gpu": "T4", "command": "vllm serve Qwen/Qwen3-4B --max-model-len 4096"}
    [change] = simulate(**LOAD, **launch, changes=["--kv-cache-dtype fp8"]).changes
    assert change.prediction is None
    assert "fp8-kv-device" in change.verdict


def test_measurements_too_few_to_calibrate_on_are_told_what_is_missing() -> None:
    assert "no measurement" in simulate(changes=["--max-num-seqs 4"], workload="24 users, 500 in, 20 out").basis
    some = simulate(**LOAD, ttft_ms_mean=400.0, changes=["--max-num-seqs 4"])
    assert "it needs itl, throughput, concurrency too" in some.basis


def test_without_the_gpu_only_the_gpu_is_asked_for() -> None:
    assert simulate(gpu=None, **LOAD, changes=["--max-num-seqs 4"]).missing == ("the GPU",)


def test_targets_met_for_certain_are_named_in_the_summary() -> None:
    answer = simulate(**LOAD, changes=["--max-num-seqs 6", "--max-num-seqs 1"], slo={"ttft_ms_mean": 1e6})
    assert "Meets all targets: --max-num-seqs 6; --max-num-seqs 1." in answer.summary
    assert "No change meets" in simulate(**LOAD, changes=["--max-num-seqs 6"], slo={"ttft_ms_mean": 0.1}).summary


def test_on_a_cpu_only_the_schedule_is_told_and_no_time() -> None:
    log = "INFO 01-01 00:00:00 [kv_cache_utils.py:1] GPU KV cache size: 20,480 tokens"
    answer = simulate(gpu="cpu", evidence=[log], changes=["--max-num-seqs 24"], workload="24 users, 500 in, 20 out")
    assert (answer.status, answer.changes[0].prediction) == ("steps", None)
    assert answer.changes[0].steps is not None
    assert "waiting" in answer.changes[0].verdict
    assert " ms" not in answer.to_text()


@pytest.mark.parametrize(
    ("arguments", "needs"),
    [
        ({}, "traffic"),
        ({"command": "vllm serve someone/unknown", **LOAD}, "model"),
        ({"command": "vllm serve someone/unknown", "gpu": None, **LOAD}, "the GPU"),
    ],
)
def test_what_is_missing_for_a_prediction_is_named(arguments: dict[str, Any], needs: str) -> None:
    answer = simulate(**arguments, changes=["--max-num-seqs 4"])
    assert answer.status == "cannot_predict"
    assert needs in answer.summary
    assert any(needs in missing for missing in answer.missing)


def test_the_text_is_short_and_complete() -> None:
    answer = simulate(**MEASURED, changes=["--max-num-seqs 24", "--max-num-batched-tokens 512"])
    text = answer.to_text()
    assert len(text) < 3500
    assert all(change.verdict in text for change in answer.changes)
    assert answer.basis in text


@pytest.mark.parametrize("changes", [[], ["--max-num-seqs 4"] * 13, ["x" * 5000], None])
def test_no_changes_too_many_or_too_long_are_refused(changes: object) -> None:
    with pytest.raises(ValueError, match="changes"):
        tools.call("simulate_change", {**LAUNCH, **LOAD, **({} if changes is None else {"changes": changes})})


def test_progress_runs_from_start_to_end_and_what_it_raises_stops_the_work() -> None:
    told: list[float] = []
    with watched(told.append):
        simulate(**MEASURED, changes=["--max-num-seqs 24", "--max-num-seqs 4"])
    assert told == sorted(told)
    assert told[-1] <= 1.0

    class Stop(Exception):
        pass

    def stop(_: float) -> None:
        raise Stop

    with watched(stop), pytest.raises(Stop):
        simulate(**MEASURED, changes=["--max-num-seqs 24"])


def test_the_same_question_gets_the_same_answer() -> None:
    first, second = (simulate(**MEASURED, changes=["--max-num-seqs 16"]).to_json() for _ in range(2))
    assert first == second


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    changes=st.lists(st.sampled_from([
        "--max-num-seqs 1", "--max-num-seqs 100000", "--max-num-batched-tokens 256", "--gpu-memory-utilization 0.2",
        "--kv-cache-dtype fp8", "--num-gpu-blocks-override 50", "--enforce-eager", "-tp 3", "-pp 2", "-dp 2", "without --max-num-seqs",
        "--no-enable-chunked-prefill", "--max-model-len 64", "--quantization awq", "VLLM_USE_V1=0", "--nonsense", "",
        '--speculative-config \'{"method":"ngram","num_speculative_tokens":3}\'',
    ]), min_size=1, max_size=3),
    gpu=st.sampled_from(["H100", "T4", "cpu", None]), version=st.sampled_from(["0.6.6", "0.11.2", "0.33.0"]),
    workload=st.sampled_from([None, "4 users, 300 in, 10 out", "2 req/s, 300 in, 10 out"]),
)  # fmt: skip
def test_any_change_is_answered(changes: list[str], gpu: str | None, version: str, workload: str | None) -> None:
    answer = simulate(changes=changes, gpu=gpu, vllm_version=version, workload=workload)
    assert len(answer.changes) == len(changes)
    assert all(change.verdict for change in answer.changes)
    assert answer.to_text()
