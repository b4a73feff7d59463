"""The whole search: on a simulator that answers what it is told, and once on the real one over many inputs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.planning.stand_in import asked, fleet, foretold, simulator, traffic
from vllm_triage.domain import Deployment, Prediction
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.machine import whole
from vllm_triage.verdicts.compat import check
from vllm_triage.verdicts.planning import Plan, plan
from vllm_triage.verdicts.planning.plan import MOST_ENLARGED
from vllm_triage.verdicts.planning.search import MOST_TRIALS


def planned(command: str = "Qwen/Qwen3-32B", gpu: str = "8x H100-SXM", words: str = "64 users, 2000 in, 300 out",
            answer: object = None, **slo: float) -> Plan:  # fmt: skip
    workload = traffic(words)
    told = answer if callable(answer) else lambda *_: foretold()
    return plan(asked(command, words, **slo), (fleet(gpu),), workload, simulate=simulator(told))


def by_ranks(ms: float) -> object:
    """A server whose time per token falls with its ranks and its precision, and rises with its users."""

    def answer(deployment: Deployment, users: float) -> Prediction:
        ranks = whole(deployment.setting("tensor_parallel_size"))
        eight = deployment.args.get("quantization") == "fp8" or "FP8" in (deployment.model_id or "")
        return foretold(tpot=ms * (1 + users / 100) / ranks * (0.6 if eight else 1.0))

    return answer


def test_the_cheapest_that_meets_the_targets_is_first_and_the_checkpoint_as_it_is_is_there() -> None:
    found = planned(answer=by_ranks(60), tpot_ms_mean=30)
    assert found.status == "planned"
    best = found.trials[0]
    assert best.met == "yes"
    assert best.launch.gpus == min(
        t.launch.gpus for t in found.trials if t.met == "yes" and t.launch.variant.altered <= 1
    )
    assert any(t.launch.altered == 0 for t in (*found.trials, *(t for t, _ in found.beaten)))


def test_replicas_are_added_until_the_simulation_is_content() -> None:
    found = planned("Qwen/Qwen3-8B", words="400 users, 2000 in, 300 out", answer=by_ranks(20), tpot_ms_mean=40)
    best = found.trials[0]
    assert best.met == "yes"
    assert best.launch.layout.replicas > 1


def test_where_nothing_meets_the_targets_more_gpus_are_tried_by_the_numbers() -> None:
    found = planned(gpu="1x H100-SXM", answer=by_ranks(60), tpot_ms_mean=30)
    assert found.status == "nothing_meets"
    assert found.would is not None
    assert 1 < found.would.gpus <= MOST_ENLARGED
    assert found.would.trial.met == "yes"


def test_where_no_number_does_that_is_said() -> None:
    found = planned(gpu="1x H100-SXM", answer=lambda *_: foretold(tpot=500), tpot_ms_mean=1)
    assert (found.status, found.would) == ("nothing_meets", None)


def test_what_does_not_fit_at_all_is_refused_with_why() -> None:
    found = planned("deepseek-ai/DeepSeek-V3", "2x H100-SXM", answer=by_ranks(60), tpot_ms_mean=1000)
    assert found.status == "nothing_fits"
    assert {str(r.engine) for r in found.refused if r.precision == "FP8"} == {"TP1", "TP2", "DP2 + EP"}
    assert found.would is not None
    assert found.would.gpus >= 8


def test_simulations_are_few_and_progress_is_told() -> None:
    asked_for: list[Deployment] = []
    told: list[float] = []

    def answer(deployment: Deployment, _: float) -> Prediction:
        asked_for.append(deployment)
        return foretold(tpot=500)

    ask = asked("Qwen/Qwen3-8B", tpot_ms_mean=50)
    plan(ask, (fleet("8x H100-SXM"), fleet("4x L40S")), traffic(), simulate=simulator(answer), progress=told.append)
    assert len(asked_for) <= 2 * MOST_TRIALS
    assert told[-1] == 1.0
    assert all(0 <= share <= 1 for share in told)


def test_what_the_progress_raises_ends_the_planning() -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        plan(asked(), (fleet(),), traffic(), simulate=simulator(lambda *_: foretold()), progress=stop)


def test_a_device_without_known_rates_is_said_and_the_other_is_planned_with() -> None:
    found = plan(asked(tpot_ms_mean=100), (fleet("8x MI308X"), fleet("8x H100-SXM")), traffic(),
                 simulate=simulator(lambda *_: foretold()))  # fmt: skip
    assert found.missing == ("the peak FLOPs of MI308X",)
    assert {trial.launch.fleet.gpu.name for trial in found.trials} == {"H100-SXM"}


MODELS = (
    "Qwen/Qwen3-8B", "Qwen/Qwen3-30B-A3B", "Qwen/Qwen3-235B-A22B-FP8", "deepseek-ai/DeepSeek-V3", "openai/gpt-oss-120b",
    "microsoft/phi-4", "meta-llama/Llama-3.1-70B-Instruct", "google/gemma-3-27b-it",
)  # fmt: skip
GPUS = ("8x H100-SXM", "4x A100-80GB-SXM", "6x L40S", "8x B200", "16x H200-SXM", "8x MI300X", "1x L4", "3x RTX 4090")


@settings(max_examples=8)
@given(
    model=st.sampled_from(MODELS), gpu=st.sampled_from(GPUS), users=st.integers(1, 2000), prompt=st.integers(1, 20_000),
    output=st.integers(1, 3000), version=st.sampled_from(("0.33.0", "0.18.0", "0.11.0", "0.9.0")),
    tpot=st.floats(5, 500), tight=st.booleans(),
)  # fmt: skip
def test_every_plan_passes_check_compat_as_it_is_printed(
    model: str, gpu: str, users: int, prompt: int, output: int, version: str, tpot: float, tight: bool
) -> None:
    words = f"{users} users, {prompt} in, {output} out"
    ask = asked(model, words, version, tpot_ms_mean=tpot)
    device = fleet(gpu)

    def answer(deployment: Deployment, _: float) -> Prediction:
        return foretold(tpot=tpot * (2 if tight else 0.5) / whole(deployment.setting("tensor_parallel_size")), kv=1.0)

    found = plan(ask, (device,), traffic(words), simulate=simulator(answer))
    for trial in found.trials:
        launch = trial.launch
        read = deploy(launch.text, version, f"{device.node}x {device.gpu.name}", launch.variant.config)
        assert check(read).ok
        assert launch.gpus <= device.count
        assert launch.memory.pool is not None
        assert read.setting("max_model_len") == launch.deployment.setting("max_model_len")
        assert whole(read.setting("max_model_len")) >= prompt + output
