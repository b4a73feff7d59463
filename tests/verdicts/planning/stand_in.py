"""Asks, and a simulator that answers what it is told: planning is tested apart from how fast anything is."""

from collections.abc import Callable

from vllm_triage.domain import Deployment, Interval, Latency, MemoryBudget, Prediction, Workload
from vllm_triage.engine.cost import CostModel
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.simulation.share import share_of
from vllm_triage.readers.workloads import read_workload
from vllm_triage.verdicts.planning import Ask, Fleet, demand_of, read_fleets, targets_of

__all__ = ["asked", "band", "fleet", "foretold", "simulator", "traffic"]


def traffic(words: str = "64 users, 2000 in, 300 out") -> Workload:
    """A workload in words."""
    return read_workload(words)


def asked(
    command: str = "Qwen/Qwen3-32B", words: str = "64 users, 2000 in, 300 out", version: str = "0.33.0", **slo: float
) -> Ask:
    """A question, without its GPUs."""
    base = deploy(command, version)
    return Ask(base, None, demand_of(traffic(words), cached=True), targets_of(slo))


def fleet(gpu: str = "8x H100-SXM", price: float | None = None) -> Fleet:
    """One kind of GPU."""
    [found] = read_fleets(gpu, deploy("Qwen/Qwen3-8B"), price).fleets
    return found


def band(mid: float, width: float = 0.2) -> Interval:
    """A figure with an interval of that half width."""
    return Interval(low=mid * (1 - width), mid=mid, high=mid * (1 + width))


def foretold(
    ttft: float = 500.0, tpot: float = 30.0, *, rate: float = 10.0, waiting: float = 0.0, running: float = 60.0,
    overloaded: bool = False, kv: float = 0.5,
) -> Prediction:  # fmt: skip
    """A prediction with these figures."""

    def latency(mean: float) -> Latency:
        return Latency(mean=band(mean), p50=band(mean), p99=band(2 * mean))

    return Prediction(
        ttft_ms=latency(ttft), itl_ms=latency(tpot), tpot_ms=latency(tpot), e2e_ms=latency(ttft + 300 * tpot),
        output_tok_s=band(300 * rate), total_tok_s=band(2300 * rate), request_rate=band(rate), running=running,
        waiting=waiting, kv_usage=kv, kv_usage_peak=kv, requests=100, duration_s=10.0, overloaded=overloaded,
        basis="predicted",
    )  # fmt: skip


def simulator(answer: Callable[[Deployment, float], Prediction]) -> Callable[..., Prediction]:
    """A simulator that answers by deployment and users per engine; it keeps what it was asked in ``seen``."""

    def run(
        deployment: Deployment, memory: MemoryBudget, workload: Workload, *, cost: CostModel, progress: object, at_most: int
    ) -> Prediction:  # fmt: skip
        del memory, cost, progress, at_most
        replicas = deployment.setting("data_parallel_size")
        own, _ = share_of(workload, replicas if isinstance(replicas, int) else 1)
        return answer(deployment, float(own.concurrency or own.request_rate or 1))

    return run
