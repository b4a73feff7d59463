"""plan_deployment: what is asked for before there is a plan, what a plan holds, and known deployments."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vllm_triage.engine.deployment import deploy
from vllm_triage.report.answers.plan import Answer, Arguments, run
from vllm_triage.report.arguments import BadArguments, read_arguments
from vllm_triage.report.progress import watched
from vllm_triage.report.schemas import input_schema
from vllm_triage.report.targets import SLO_METRICS
from vllm_triage.report.tools import call, is_domain_error
from vllm_triage.verdicts.compat import check

LOAD = {"concurrency": 32, "input_tokens": 2000, "output_tokens": 300}


def planned(**arguments: object) -> Answer:
    return run(read_arguments(Arguments, arguments))


def test_without_model_gpus_or_load_it_asks_for_exactly_those() -> None:
    answer = planned(command="nobody/unheard-of", vllm_version="0.33.0")
    assert answer.status == "needs"
    assert [text.split(":")[0] for text in answer.missing] == [
        "model", "gpu", "concurrency or request_rate", "input_tokens", "output_tokens",
    ]  # fmt: skip
    assert all(text in answer.summary for text in answer.missing)
    assert answer.plans == ()


def test_what_is_known_is_said_while_it_asks() -> None:
    answer = planned(command="meta-llama/Llama-3.1-70B-Instruct", **LOAD)
    assert answer.missing == ('gpu: which GPUs there are, and how many, such as "8x H200"',)
    assert "131 GiB" in answer.summary


def test_a_cpu_is_not_planned_with_gpu_figures() -> None:
    assert "CPU" in planned(command="Qwen/Qwen3-8B", gpu="cpu", **LOAD).summary


def test_requests_longer_than_the_model_holds_are_not_planned() -> None:
    answer = planned(command="Qwen/Qwen3-8B", gpu="8x H100-SXM", concurrency=4, input_tokens=90_000, output_tokens=10)
    assert answer.status == "needs"
    assert "40,960" in answer.summary


def test_the_version_taken_for_want_of_one_is_said() -> None:
    answer = planned(command="Qwen/Qwen3-8B", gpu="1x H100-SXM", **LOAD)
    assert answer.vllm_version.origin == "assumed"
    assert any(text.startswith(f"vLLM {answer.vllm_version.value}") for text in answer.assumptions)


def test_every_field_of_a_plan_is_there() -> None:
    answer = planned(
        command="Qwen/Qwen3-32B", gpu="4x H100-SXM", slo={"tpot_ms_mean": 200}, price_per_gpu_hour=2, **LOAD
    )
    assert answer.status == "planned"
    row = answer.to_json()["plans"][0]
    assert set(row) == {
        "rank", "meets", "why", "gpu", "gpus", "layout", "tensor_parallel_size", "pipeline_parallel_size",
        "data_parallel_size", "expert_parallel", "servers", "precision", "kv_cache_dtype", "max_model_len",
        "max_num_seqs", "max_num_batched_tokens", "pool", "prediction", "slo", "cost", "command", "notes",
    }  # fmt: skip
    assert row["meets"] == "yes"
    assert row["pool"]["tokens"] > 0
    low, mid, high = row["prediction"]["tpot_ms"]["mean"]
    assert low < mid < high <= 200
    assert row["slo"] == [{"metric": "tpot_ms_mean", "target": 200, "predicted": [low, mid, high], "meets": "yes"}]
    assert row["cost"]["per_hour"] == 2 * row["gpus"]
    assert row["cost"]["per_million_output_tokens"][1] > 0
    deployment = deploy(row["command"], "0.33.0", "4x H100-SXM")
    assert check(deployment).ok
    assert deployment.setting("max_num_batched_tokens") == row["max_num_batched_tokens"]


@pytest.mark.parametrize(
    ("model", "gpu", "layout"),
    [
        ("deepseek-ai/DeepSeek-V3", "8x H200-SXM", "TP8"),
        ("meta-llama/Llama-3.1-70B-Instruct", "4x H100-SXM", "TP4"),
        ("Qwen/Qwen3-8B", "1x L40S", "TP1"),
        ("openai/gpt-oss-120b", "1x H100-SXM", "TP1"),
        ("meta-llama/Llama-3.1-405B-Instruct", "8x H200-SXM", "TP8"),
    ],
)
def test_the_checkpoint_as_it_is_is_laid_out_as_people_do(model: str, gpu: str, layout: str) -> None:
    answer = planned(command=model, gpu=gpu, slo={"ttft_ms_p99": 20_000, "tpot_ms_mean": 250}, **LOAD)
    assert answer.status == "planned"
    assert layout in [row.layout for row in answer.plans if row.precision in ("BF16", "FP8", "MXFP4")]


def test_nothing_that_meets_the_targets_says_what_is_short_and_what_would_do() -> None:
    answer = planned(command="Qwen/Qwen3-32B", gpu="1x A100-80GB-SXM", concurrency=200, input_tokens=4000,
                     output_tokens=500, slo={"tpot_ms_mean": 60, "ttft_ms_p99": 8000})  # fmt: skip
    assert answer.status == "nothing_meets"
    assert answer.found()
    assert answer.plans[0].meets != "yes"
    assert set(answer.shortfall) >= {"closest", "because", "metric", "predicted", "short_by"}
    assert answer.would_meet["gpus"] > 1
    assert len(answer.would_meet["tried_first"]) >= 1  # tune-before-scale: more GPUs come after what was tried
    assert f"{answer.would_meet['gpus']}x A100-80GB-SXM would" in answer.summary


def test_what_does_not_fit_says_its_size_and_how_many_gpus_hold_it() -> None:
    answer = planned(command="deepseek-ai/DeepSeek-V3", gpu="2x H100-SXM", slo={"tpot_ms_mean": 500}, **LOAD)
    assert answer.status == "nothing_fits"
    assert "do not fit 73 GiB usable" in answer.summary
    assert answer.would_meet["gpus"] >= 8


def test_the_users_flags_are_kept_and_a_workload_in_words_is_read() -> None:
    answer = planned(command="vllm serve Qwen/Qwen3-8B -tp 2 --served-model-name mine", gpu="2x H100-SXM",
                     workload="3 req/s, 1000 in, 100 out", vllm_version="0.18.0")  # fmt: skip
    assert answer.workload.startswith("3 requests/s")
    assert all("--served-model-name mine" in row.command for row in answer.plans)


def test_numbers_beside_a_workload_replace_its_own() -> None:
    answer = planned(
        command="Qwen/Qwen3-8B", gpu="1x H100-SXM", workload="64 users", input_tokens=500, output_tokens=50
    )
    assert answer.workload == "64 users at once, 500 tokens in, 50 out"
    assert not [text for text in answer.assumptions if "length is not said" in text]


def test_prices_are_one_number_or_one_by_gpu() -> None:
    given = {"command": "Qwen/Qwen3-8B", "gpu": "1x H100-SXM, 1x L40S", **LOAD}
    assert {row.cost["per_hour"] for row in planned(**given, price_per_gpu_hour="2.5").plans} == {2.5}
    by_gpu = planned(**given, price_per_gpu_hour='{"H100": 3, "L40S": 1}').plans
    assert by_gpu[0].gpu == "L40S"
    with pytest.raises(BadArguments, match="price_per_gpu_hour"):
        planned(**given, price_per_gpu_hour="cheap")


def test_an_unknown_target_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadArguments, match="ttft_ms_p99"):
        planned(command="Qwen/Qwen3-8B", gpu="1x H100-SXM", slo={"latency": 3}, **LOAD)


def test_progress_is_told_to_whoever_watches() -> None:
    told: list[float] = []
    with watched(told.append):
        planned(command="Qwen/Qwen3-8B", gpu="1x H100-SXM", **LOAD)
    assert told[-1] == 1.0
    assert len(told) > 1


def test_the_text_holds_every_command_and_what_was_left_out() -> None:
    answer = planned(command="Qwen/Qwen3-32B", gpu="4x H100-SXM", slo={"tpot_ms_mean": 200}, **LOAD)
    text = answer.to_text()
    assert all(row.command in text for row in answer.plans)
    assert all(line in text for line in answer.excluded)


def test_the_schema_stays_small() -> None:
    assert len(json.dumps(input_schema(Arguments), separators=(",", ":"))) < 1_800


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.fixed_dictionaries(
        {
            "command": st.sampled_from(["Qwen/Qwen3-8B", "vllm serve deepseek-ai/DeepSeek-V3 -tp 0 --max-num-seqs -1",
                                        "google/gemma-3-27b-it", "x/y", "vllm serve Qwen/Qwen3-8B --max-model-len 1k"]),
            "gpu": st.sampled_from(["H100", "8x H200", "cpu", "0x H100", "banana", "T4", "999999x MI300X", "3x L4, 2x A10"]),
        },
        optional={
            "vllm_version": st.sampled_from(["0.6.6", "0.11.0", "0.18.0", "0.33.0", "99.0"]),
            "concurrency": st.sampled_from([0, 1e-300, 1, 77.7, 1e6, 1e12]),
            "request_rate": st.sampled_from([0, 1e-300, 3.5, 1e12]),
            "input_tokens": st.sampled_from([0, 1e-300, 100, 8000, 1e12]),
            "output_tokens": st.sampled_from([0, 1e-300, 1, 300, 1e12]),
            "slo": st.dictionaries(st.sampled_from(SLO_METRICS), st.sampled_from([1e-300, 50.0, 1e12]), max_size=3),
            "price_per_gpu_hour": st.sampled_from([0, 1e-300, 2.5, 1e12]),
        },
    )
)  # fmt: skip
def test_whatever_is_asked_is_answered_or_refused_in_words(arguments: dict[str, Any]) -> None:
    try:
        answer = planned(**arguments)
    except ValueError as error:
        if not is_domain_error(error):
            raise
        return
    json.dumps(answer.to_json(), allow_nan=False)
    assert answer.summary
    assert answer.to_text()


def test_more_users_than_any_server_takes_are_not_simulated_one_by_one() -> None:
    answer = planned(command="Qwen/Qwen3-8B", gpu="1x H100-SXM", concurrency=1e9, input_tokens=100, output_tokens=50)
    assert answer.status == "nothing_meets"
    assert "wait" in answer.summary


def test_releases_whose_engine_is_another_are_not_predicted() -> None:
    answer = planned(command="Qwen/Qwen2.5-7B-Instruct", gpu="1x H100-SXM", vllm_version="0.6.6.post1", **LOAD)
    assert answer.status == "needs"
    assert "V1" in answer.summary


def test_a_target_that_is_not_above_zero_is_refused_in_words() -> None:
    for limit in (0, -5):
        with pytest.raises(BadArguments, match="tpot_ms_mean: a target is a number above zero"):
            call("plan_deployment", {"command": "Qwen/Qwen3-8B", "gpu": "8x H100", "concurrency": 4,
                                     "slo": {"tpot_ms_mean": limit}})  # fmt: skip
