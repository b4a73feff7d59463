import pytest

from verdicts.configs import DENSE
from vllm_triage.engine.deployment import deploy
from vllm_triage.verdicts.planning import read_fleets
from vllm_triage.verdicts.planning.variants import Variant, loads_whole_first, variants_of


def variants(command: str, gpu: str, version: str = "0.33.0") -> list[Variant]:
    base = deploy(command, version)
    [fleet] = read_fleets(f"8x {gpu}", base, None).fleets
    return list(variants_of(base, fleet.gpu, None))


def named(command: str, gpu: str, version: str = "0.33.0") -> list[str]:
    return [variant.name for variant in variants(command, gpu, version)]


@pytest.mark.parametrize(
    ("gpu", "version", "others"),
    [
        ("H100-SXM", "0.33.0", ["FP8 on load", "AWQ"]),
        ("A100-80GB-SXM", "0.33.0", ["FP8 on load", "AWQ"]),
        ("T4", "0.18.0", ["FP8 on load", "AWQ"]),
        ("T4", "0.10.0", ["AWQ"]),
        ("B200", "0.33.0", ["FP8 on load", "NVFP4"]),
        ("MI300X", "0.33.0", ["FP8 on load"]),
    ],
)
def test_device_and_release_say_which_precisions_there_are(gpu: str, version: str, others: list[str]) -> None:
    assert named("Qwen/Qwen3-8B", gpu, version)[1:] == others


def test_a_published_checkpoint_is_named_and_preferred_to_quantizing_on_load() -> None:
    eight = variants("Qwen/Qwen3-32B", "H100-SXM")[1]
    assert (eight.name, eight.model, eight.args) == ("FP8 checkpoint", "Qwen/Qwen3-32B-FP8", {})
    assert "in place of Qwen/Qwen3-32B" in eight.assumed


def test_a_checkpoint_nobody_is_known_to_have_published_is_an_assumption_in_a_folder() -> None:
    four = variants("meta-llama/Llama-3.1-8B-Instruct", "H100-SXM")[2]
    assert (four.model, four.altered) == ("./Llama-3.1-8B-Instruct-AWQ", 3)
    assert "needs an AWQ (4-bit) checkpoint" in four.assumed


def test_what_is_quantized_already_is_not_quantized_to_eight_bits_again() -> None:
    assert named("deepseek-ai/DeepSeek-V3", "H200-SXM") == ["FP8", "AWQ"]
    assert named("openai/gpt-oss-120b", "H100-SXM") == ["MXFP4"]


def test_a_quantization_the_user_asked_for_stands() -> None:
    assert named("vllm serve Qwen/Qwen3-8B --quantization fp8", "H100-SXM") == ["FP8 on load"]


def test_a_given_config_is_carried_along() -> None:
    base = deploy("org/mine", "0.33.0", model_config=DENSE)
    [fleet] = read_fleets("8x H100-SXM", base, None).fleets
    found = {variant.name: variant.config for variant in variants_of(base, fleet.gpu, DENSE)}
    assert found["BF16"] == DENSE
    assert found["AWQ"] is not None
    assert found["AWQ"]["quantization_config"] == {"quant_method": "awq", "bits": 4, "group_size": 128}


def test_early_releases_load_all_weights_before_they_quantize_them() -> None:
    assert loads_whole_first("0.15.1")
    assert not loads_whole_first("0.16.0")
