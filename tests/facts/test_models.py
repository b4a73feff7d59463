"""The model catalogue: every entry can be read, and is found by the names people use."""

import json
from pathlib import Path

import pytest

from vllm_triage.domain import ModelShape
from vllm_triage.facts import models
from vllm_triage.facts.config_defaults import config_defaults
from vllm_triage.readers.model_config import read_model_config


def shape(name: str) -> ModelShape:
    found = models.find(name)
    assert found is not None
    return read_model_config(found.config, found.id, params_total=found.params_total, source="catalogue")


@pytest.mark.parametrize("model_id", models.ids())
def test_every_entry_is_read(model_id: str) -> None:
    found = models.find(model_id)
    assert found is not None
    assert found.sources
    read = read_model_config(found.config, model_id)
    assert read.runs
    assert read.weights


def test_counted_parameters_are_the_published_ones() -> None:
    """Within 5% but for towers and shapes that are recorded as unverified."""
    off = {}
    for model_id in models.ids():
        found = models.find(model_id)
        assert found is not None
        if found.params_total is None or found.unverified:
            continue
        counted = sum(part.params for part in read_model_config(found.config, model_id).weights)
        if abs(counted / found.params_total - 1) > 0.05:
            off[model_id] = counted / found.params_total
    assert set(off) == {"google/gemma-3-4b-it"}  # its vision tower


@pytest.mark.parametrize(
    ("name", "model_id"),
    [
        ("Qwen/Qwen3-8B", "Qwen/Qwen3-8B"),
        ("qwen3-8b", "Qwen/Qwen3-8B"),
        ("/data/models/Qwen3-8B/", "Qwen/Qwen3-8B"),
        ("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Meta-Llama-3.1-8B"),
        ("unsloth/Meta-Llama-3.1-8B-Instruct", "meta-llama/Meta-Llama-3.1-8B"),
        ("meta-llama/Llama-3.3-70B-Instruct", "meta-llama/Meta-Llama-3.1-70B"),
        ("Qwen/Qwen3-30B-A3B-Instruct-2507", "Qwen/Qwen3-30B-A3B"),
        ("deepseek-ai/DeepSeek-V3-0324", "deepseek-ai/DeepSeek-V3"),
        ("gpt-oss-120b", "openai/gpt-oss-120b"),
        ("kimi-dev-72b", "moonshotai/Kimi-Dev-72B"),
    ],
)
def test_a_model_is_found_by_the_names_it_goes_by(name: str, model_id: str) -> None:
    found = models.find(name)
    assert found is not None
    assert found.id == model_id


@pytest.mark.parametrize("name", ["", "   ", "org/never-heard-of-it", "x" * 5000, "../../etc/passwd"])
def test_an_unknown_name_finds_nothing(name: str) -> None:
    assert models.find(name) is None


@pytest.mark.parametrize(
    ("name", "method", "bits"),
    [
        ("Qwen/Qwen3-14B-AWQ", "awq", 4.125),
        ("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16", "compressed-tensors", 4.125),
        ("RedHatAI/Qwen2.5-7B-Instruct-quantized.w8a8", "compressed-tensors", 8.0),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", "fp8", 8.0),
        ("Qwen/Qwen2.5-7B-Instruct-GPTQ-Int8", "gptq", 8.0),
        ("unsloth/Llama-3.3-70B-Instruct-bnb-4bit", "bitsandbytes", 4.5),
        ("nvidia/Qwen3-8B-NVFP4", "modelopt_fp4", 4.5),
    ],
)
def test_a_re_release_is_its_base_model_with_the_quantization_of_its_name(name: str, method: str, bits: float) -> None:
    found = models.find(name)
    assert found is not None
    assert found.id == name
    assert "quantization: read from the name" in found.unverified
    quantization = read_model_config(found.config, name).quantization
    assert quantization is not None
    assert (quantization.method, quantization.weight_bits) == (method, bits)


def test_a_listed_re_release_keeps_its_own_config() -> None:
    found = models.find("nvidia/Qwen3-235B-A22B-NVFP4")
    assert found is not None
    assert found.unverified == ()
    assert found.config["quantization_config"]["quant_algo"] == "NVFP4"


def test_near_names_are_suggested() -> None:
    assert "Qwen/Qwen3-8B" in models.suggest("Qwen3-8")
    assert models.suggest("zzzzzzzzzz") == ()


def test_the_catalogue_stays_small() -> None:
    data = Path(models.__file__).with_name("data")
    assert (data / "models.json").stat().st_size < 250_000
    assert (data / "config_defaults.json").stat().st_size < 40_000
    assert len(json.loads((data / "models.json").read_text())["models"]) == len(models.ids())


def test_defaults_are_those_of_the_config_class() -> None:
    assert config_defaults("mistral")["sliding_window"] == 4096
    assert config_defaults("gemma3_text")["head_dim"] == 256
    assert config_defaults("no-such-type") == {}


@pytest.mark.parametrize(
    ("name", "bytes_per_token"),
    [("Qwen/Qwen3-8B", 147_456), ("Qwen/Qwen3-30B-A3B", 98_304), ("meta-llama/Llama-3.1-8B-Instruct", 131_072)],
)
def test_known_bytes_per_token(name: str, bytes_per_token: int) -> None:
    assert sum(2 * run.count * run.kv_heads * run.head_dim * 2 for run in shape(name).runs) == bytes_per_token


def test_a_dated_release_is_taken_to_be_of_the_listed_shape_and_says_so() -> None:
    found = models.find("deepseek-ai/DeepSeek-V4-Flash-0731")
    assert found is not None
    assert found.config["model_type"] == "deepseek_v4"
    assert found.unverified[-1] == "taken to be of the shape of deepseek-ai/DeepSeek-V4-Flash"
    assert models.find("org/unheard-of-0731") is None


@pytest.mark.parametrize("name", ["Qwen/Qwen3-14B-AWQ", "Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", "acme/Qwen3-VL-8B-Instruct-AWQ"])
def test_awq_and_gptq_re_releases_do_not_borrow_the_type_of_the_base_models_tensors(name: str) -> None:
    found = models.find(name)
    assert found is not None
    assert not {"dtype", "torch_dtype"} & {*found.config, *found.config.get("text_config", {})}


def test_the_first_mistral_small_3_is_text_alone_and_the_next_sees() -> None:
    first, next_one = models.find("mistralai/Mistral-Small-24B-Instruct-2501"), models.find("mistralai/Mistral-Small-3.1-24B-Instruct-2503")
    assert first is not None
    assert first.config["architectures"] == ["MistralForCausalLM"]
    assert next_one is not None
    assert next_one.config["architectures"] == ["Mistral3ForConditionalGeneration"]
