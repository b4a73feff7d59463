"""The pair of runs that would show an effect."""

from dataclasses import replace
from math import log

import pytest

from vllm_triage.domain import Lengths, TraceRow, Workload
from vllm_triage.engine.deployment import deploy
from vllm_triage.facts.versions import KNOWN
from vllm_triage.verdicts.advice.proof import FEWEST, KEYS, proof_of
from vllm_triage.verdicts.advice.trials import bench_for
from vllm_triage.verdicts.whatif import METRICS, Goal, Ground, Trial, try_change

from .situations import bound, situation


def bench() -> tuple[Ground, Trial, Goal]:
    found = bench_for(situation(verdict=bound("queue_stall", sub_bound="seats")))
    assert found is not None
    return found.ground, try_change(found.ground, {"max_num_seqs": 24}), found.goal


def test_both_runs_are_the_same_load_into_two_files() -> None:
    proof = proof_of(*bench())
    assert proof is not None
    assert proof.before.replace("before.json", "after.json") == proof.after
    for word in ("vllm bench serve", "--model Qwen/Qwen3-8B", "--random-input-len 800", "--max-concurrency 24", "--ignore-eos"):
        assert word in proof.before
    assert "mean_ttft_ms" in proof.compare


def test_a_closed_loop_runs_at_least_five_rounds() -> None:
    proof = proof_of(*bench())
    assert proof is not None
    assert proof.requests >= max(FEWEST, 5 * 24)
    assert "rounds of 24 users" in proof.how


def test_a_small_effect_needs_more_prompts_and_the_number_follows_from_the_formula() -> None:
    ground, trial, goal = bench()
    small = replace(trial, differences=tuple(
        d if d.ratio is None else d.but(ratio=d.ratio.but(low=0.9, mid=0.95, high=1.0)) for d in trial.differences
    ))  # fmt: skip
    large, little = proof_of(ground, trial, goal), proof_of(ground, small, goal)
    assert large is not None
    assert little is not None
    assert little.requests >= large.requests
    assert f"/ {-log(0.95):.2f}^2" in little.how


@pytest.mark.parametrize("version", ["0.7.3"])
def test_a_release_without_the_benchmark_command_gets_none(version: str) -> None:
    assert version in KNOWN
    ground, trial, goal = bench()
    assert proof_of(replace(ground, deployment=deploy("Qwen/Qwen3-8B", version, "H100")), trial, goal) is None


def test_a_trace_cannot_be_sent_by_the_benchmark() -> None:
    ground, trial, goal = bench()
    trace = Workload(arrivals="trace", trace=(TraceRow(0.0, 10, 10),))
    assert proof_of(replace(ground, workload=trace), trial, goal) is None


def test_an_open_load_is_sent_at_its_rate_with_its_burstiness_and_shared_prefix() -> None:
    ground, trial, goal = bench()
    load = Workload(
        arrivals="open", request_rate=3.5, burstiness=0.5, input=Lengths(mean=800.0), output=Lengths(mean=60.0),
        shared_prefix_tokens=500,
    )  # fmt: skip
    proof = proof_of(replace(ground, workload=load), trial, goal)
    assert proof is not None
    for word in ("--request-rate 3.5", "--burstiness 0.5", "--random-prefix-len 500", "--random-input-len 300"):
        assert word in proof.before


def test_every_metric_has_its_name_in_the_result_file() -> None:
    assert set(KEYS) == set(METRICS)
