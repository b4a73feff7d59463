"""Beside real vLLM servers on a CPU: what follows from the scheduler and the pool alone, whatever a step takes."""

import json
import re
from pathlib import Path

import pytest

from engine.simulation.traffic_cases import Pencil, simulate
from vllm_triage.domain import Workload
from vllm_triage.engine.scheduler import Limits
from vllm_triage.readers.workloads import read_workload

RUNS = Path(__file__).parent.parent.parent / "data" / "runs"


def real(run: str) -> tuple[Workload, Limits, dict[str, float]]:
    """The traffic a run's own command asks for, the pool its server reports, and what the client measured."""
    texts = {
        name: (RUNS / run / name).read_text(encoding="utf-8")
        for name in ("bench_command.txt", "metrics_after.txt", "command.txt")
    }
    found = {
        name: int(number)
        for name, number in re.findall(r'\b(num_gpu_blocks|block_size)="(\d+)"', texts["metrics_after.txt"])
    }
    longest = re.search(r"--max-model-len (\d+)", texts["command.txt"])
    limits = Limits(256, 4096, int(longest[1]) if longest else 8192, found["num_gpu_blocks"], found["block_size"])
    preempted = re.search(r"num_preemptions_total\{[^}]*\} (\S+)", texts["metrics_after.txt"])
    assert preempted is not None
    bench = json.loads((RUNS / run / "bench.json").read_text(encoding="utf-8"))
    return read_workload(texts["bench_command.txt"]), limits, {**bench, "preempted": float(preempted[1])}


@pytest.mark.parametrize("costs", [Pencil(decode=0, context=0), Pencil(step=5, decode=0.6, context=0.0005, prompt=0.1)])
def test_a_full_pool_preempts_as_often_and_makes_users_wait_as_long(costs: Pencil) -> None:
    workload, limits, measured = real("mid-kvfull")
    meter, _, _ = simulate(workload, limits, costs)
    assert meter.preemptions == measured["preempted"] == 37
    stay = measured["mean_ttft_ms"] + measured["mean_tpot_ms"] * (workload.output.mean - 1)
    assert meter.ttft.mean / meter.e2e.mean == pytest.approx(measured["mean_ttft_ms"] / stay, abs=0.08)
    late = meter.ttft.percentiles(0.99)[0] / meter.ttft.mean
    assert late == pytest.approx(measured["p99_ttft_ms"] / measured["mean_ttft_ms"], rel=0.1)


def test_an_older_release_with_few_blocks_preempts_about_as_often() -> None:
    workload, limits, measured = real("v018-blocks-preempt")
    meter, _, _ = simulate(workload, limits, release="0.18.0")
    assert meter.preemptions == pytest.approx(measured["preempted"], rel=0.15)
