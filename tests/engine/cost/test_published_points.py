"""A few published measurements through the whole simulator (all were in the fit: this guards it, it does not judge it).

AIConfigurator silicon samples (Apache-2.0), InferenceMAX runs: users in a closed loop, ten requests each, lengths drawn
evenly between 0.8 and 1 of the nominal ones. `benchmarks/latency_model.py` measures on groups left out of the fit.
"""

from statistics import median

import pytest

from vllm_triage.domain import Lengths, Prediction, Workload
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate
from vllm_triage.engine.simulation import predict

LLAMA = "vllm serve meta-llama/Meta-Llama-3.1-70B --quantization fp8 --no-enable-prefix-caching"
GPT = "vllm serve openai/gpt-oss-120b --no-enable-prefix-caching"
KIMI = "vllm serve nvidia/Kimi-K2.5-NVFP4 --no-enable-prefix-caching"
MINIMAX = "vllm serve MiniMaxAI/MiniMax-M2.5 --no-enable-prefix-caching"
POINTS = (
    (f"{LLAMA} -tp 2", "2x H100", 1024, 1024, 4, 17.41),
    (f"{LLAMA} -tp 4", "4x H100", 1024, 1024, 64, 19.51),
    (f"{LLAMA} -tp 8", "8x H100", 8192, 1024, 16, 15.85),
    (f"{LLAMA} -tp 4", "4x H200", 8192, 1024, 16, 17.44),
    (f"{LLAMA} -tp 4", "4x B200", 1024, 1024, 16, 8.98),
    (f"{GPT} -tp 2", "2x H100", 1024, 1024, 16, 8.18),
    (f"{GPT} -tp 4", "4x H200", 1024, 1024, 64, 9.48),
    (f"{GPT}", "B200", 1024, 1024, 8, 4.41),
    (f"{KIMI} -tp 4", "4x B300", 1024, 1024, 16, 12.47),
    (f"{MINIMAX} -dp 4 --enable-expert-parallel", "4x B200", 1024, 1024, 64, 16.23),
)


def predicted(command: str, gpu: str, prompt: int, output: int, users: int) -> Prediction:
    launch = deploy(command, "0.19.0", gpu)
    lengths = [Lengths(mean=0.9 * nominal, shape="uniform", spread=1 / 9) for nominal in (prompt, output)]
    work = Workload(
        arrivals="closed", concurrency=users, input=lengths[0], output=lengths[1], requests=min(10 * users, 200)
    )
    return predict(launch, estimate(launch), work)


def test_published_points_are_met_and_their_intervals_hold() -> None:
    seen = [(predicted(*point[:-1]).tpot_ms.mean, point[-1]) for point in POINTS]
    errors = [abs(one.mid / real - 1) for one, real in seen]
    assert median(errors) < 0.15
    assert sum(one.low <= real <= one.high for one, real in seen) >= 0.8 * len(seen)


@pytest.mark.parametrize(("before", "after"), [(0, 1), (5, 6)])
def test_more_devices_decode_faster_as_they_did(before: int, after: int) -> None:
    slow, fast = (predicted(*POINTS[place][:2], 1024, 1024, 16).tpot_ms.mean.mid for place in (before, after))
    assert fast < slow
