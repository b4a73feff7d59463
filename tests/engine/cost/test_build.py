import pytest

from engine.physics import CPU, H100, dense, deployment, memory, moe
from vllm_triage.domain import Accelerator, Json
from vllm_triage.engine.cost import CannotPredict, cost_model
from vllm_triage.engine.cost.build import kind_of
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate


def missing_of(**parts: object) -> tuple[str, ...]:
    launch = deployment(dense()).but(**parts)
    with pytest.raises(CannotPredict) as refused:
        cost_model(launch, memory())
    assert all(what in str(refused.value) for what in refused.value.missing)
    return refused.value.missing


def test_no_step_time_of_a_gpu_is_given_for_a_cpu() -> None:
    assert missing_of(gpu=CPU) == ("a GPU: no step time is known for a CPU",)


def test_what_is_not_known_is_named() -> None:
    assert missing_of(gpu=None, model=None) == ("the GPU", "the model: a known name, or its config.json")


def test_a_device_without_rates_is_refused_by_name() -> None:
    blank = Accelerator(name="Card-9", vendor="other", arch="new")
    missing = missing_of(gpu=blank)
    assert "the memory bandwidth of Card-9" in missing
    assert "the peak FLOPs of Card-9" in missing


def test_a_model_without_a_size_is_refused_by_name() -> None:
    nameless = dense().but(params_total=None, params_active=None)
    launch = deployment(nameless)
    with pytest.raises(CannotPredict, match="active parameter count of example/dense"):
        cost_model(launch, memory())


def test_a_device_nobody_measured_has_wider_intervals_and_says_whose_figures_it_uses() -> None:
    known = cost_model(deployment(dense()), memory())
    other = cost_model(deployment(dense(), gpu=H100.but(name="L40S", arch="ada")), memory())
    assert other.bands.tpot[0] < known.bands.tpot[0]
    assert other.bands.tpot[1] > known.bands.tpot[1]
    assert any("L40S" in said and "Ampere" in said for said in other.assumptions)
    assert not any("was measured" in said for said in known.assumptions)


@pytest.mark.parametrize(
    ("command", "gpu", "kind"),
    [
        ("vllm serve Qwen/Qwen3-8B", "H100", ("hopper", False, "wide")),
        ("vllm serve Qwen/Qwen3-8B --quantization fp8", "H100", ("hopper", True, "narrow")),
        ("vllm serve Qwen/Qwen3-8B --quantization fp8", "A100", ("ampere", False, "wide")),
        ("vllm serve openai/gpt-oss-120b", "H100", ("hopper", False, "packed")),
        ("vllm serve openai/gpt-oss-120b", "B200", ("blackwell", False, "packed")),
        ("vllm serve MiniMaxAI/MiniMax-M2.5 -tp 4", "4x B300", ("blackwell", True, "narrow")),
    ],
)
def test_efficiencies_depend_on_generation_and_weight_format(
    command: str, gpu: str, kind: tuple[str, bool, str]
) -> None:
    launch = deploy(command, "0.19.0", gpu)
    assert launch.gpu is not None
    assert launch.model is not None
    found = kind_of(launch, launch.gpu, launch.model, cost_model(launch, estimate(launch)).terms)
    assert (found.generation, found.narrow, found.experts) == kind


def test_an_uneven_router_and_an_unknown_link_are_said_to_be_assumed() -> None:
    blind = H100.but(interconnect=None, interconnect_gb_s=None)
    said = " ".join(cost_model(deployment(moe(), gpu=blind, tensor_parallel_size=2), memory()).assumptions)
    assert "picked evenly" in said
    assert "PCIe" in said


def test_speculation_has_wider_intervals() -> None:
    config: dict[str, Json] = {"method": "ngram", "num_speculative_tokens": 3}
    plain = cost_model(deployment(dense()), memory())
    drafting = cost_model(deployment(dense(), speculative_config=config), memory())
    assert drafting.bands.tpot[1] > plain.bands.tpot[1]
    assert any("drafts" in said for said in drafting.assumptions)
