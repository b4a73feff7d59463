"""One small server under a light, a crowded and an open load; cheap to simulate."""

from functools import cache

from vllm_triage.domain import Deployment, Lengths, MemoryBudget, Observation, Workload
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate
from vllm_triage.readers.evidence import read_evidence
from vllm_triage.verdicts.whatif import Ground, ground_on

LAUNCH = "vllm serve Qwen/Qwen3-8B --max-num-seqs 8"
CROWD = Workload(arrivals="closed", concurrency=24, input=Lengths(mean=800.0), output=Lengths(mean=60.0))
CALM = Workload(arrivals="closed", concurrency=4, input=Lengths(mean=800.0), output=Lengths(mean=60.0))
RATE = Workload(arrivals="open", request_rate=4.0, input=Lengths(mean=800.0), output=Lengths(mean=60.0))
MEASURED = {
    "input_tokens": 800.0, "output_tokens": 60.0, "concurrency": 24.0, "output_tok_s": 650.0, "ttft_ms_mean": 1500.0,
    "tpot_ms_mean": 11.0,
}  # fmt: skip


def server(command: str = LAUNCH, version: str = "0.30.0", gpu: str = "H100") -> tuple[Deployment, MemoryBudget]:
    deployment = deploy(command, version, gpu)
    return deployment, estimate(deployment)


def seen(**given: float) -> Observation:
    return read_evidence((), given)


@cache
def ground(workload: Workload = CROWD) -> Ground:
    return ground_on(*server(), Observation(), workload, at_most=96)
