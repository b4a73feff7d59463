"""The terms of one GPU's memory, against what real startup logs printed."""

import pytest

from vllm_triage.engine.activation import peak_bytes
from vllm_triage.engine.budget import Terms, device_of, predict
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.drafts import draft_of
from vllm_triage.engine.weights import counted, weight_bytes, weights_of

GIB = 2**30
WIDE = ["--enable-lora", "--max-loras", "4", "--max-lora-rank", "64"]


def terms(words: str, version: str = "0.19.0", gpu: str = "H100") -> Terms:
    deployment = deploy(f"vllm serve {words}", vllm_version=version, gpu=gpu)
    assert deployment.model is not None
    device = device_of(deployment)
    assert device is not None
    found = predict(deployment, deployment.model, device)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("words", "version", "gib"),
    [
        ("meta-llama/Llama-3.1-8B-Instruct", "0.19.0", 14.99),
        ("meta-llama/Llama-3.1-8B-Instruct --tensor-parallel-size 2", "0.19.0", 7.51),
        ("meta-llama/Llama-3.1-8B-Instruct --tensor-parallel-size 4", "0.19.0", 3.77),
        ("meta-llama/Llama-3.1-8B-Instruct --quantization fp8", "0.19.0", 8.49),
        ("meta-llama/Llama-3.1-8B-Instruct --dtype float32", "0.19.0", 29.98),
        ("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16", "0.19.0", 5.38),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic --tensor-parallel-size 2", "0.19.0", 33.88),
        ("Qwen/Qwen2.5-7B-Instruct", "0.19.0", 14.25),
        ("Qwen/Qwen3-14B", "0.18.0", 27.52),
        ("Qwen/Qwen3-30B-A3B", "0.19.0", 56.88),
        ("deepseek-ai/DeepSeek-V2-Lite", "0.19.0", 29.43),
        ("google/gemma-2-27b-it", "0.19.0", 50.72),
        ("google/gemma-3-27b-it", "0.19.0", 51.45),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1 --tensor-parallel-size 2", "0.19.0", 43.51),
        ("openai/gpt-oss-20b", "0.11.0", 13.47),
        ("openai/gpt-oss-120b", "0.11.0", 64.38),
        ("openai/gpt-oss-20b --tensor-parallel-size 2", "0.19.0", 7.01),
        ("facebook/opt-6.7b", "0.8.5", 12.4),
    ],
)
def test_weights_are_those_the_log_printed(words: str, version: str, gib: float) -> None:
    assert terms(words, version).weights.gib == pytest.approx(gib, rel=0.016)


@pytest.mark.parametrize(
    ("words", "version", "gib"),
    [
        ("meta-llama/Llama-3.1-8B-Instruct", "0.19.0", 1.89),
        ("meta-llama/Llama-3.1-8B-Instruct --tensor-parallel-size 4", "0.19.0", 1.89),
        ("meta-llama/Llama-3.1-8B-Instruct --pipeline-parallel-size 2", "0.19.0", 1.1),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic --tensor-parallel-size 2", "0.19.0", 1.96),
        ("Qwen/Qwen3-14B", "0.16.0", 5.64),  # it fell by 60% at 0.17
        ("Qwen/Qwen3-14B", "0.17.0", 2.23),
        ("openai/gpt-oss-20b", "0.11.0", 7.38),
        ("openai/gpt-oss-20b --tensor-parallel-size 2", "0.19.0", 2.87),
        ("google/gemma-3-27b-it", "0.19.0", 3.99),
        ("microsoft/phi-4", "0.19.0", 1.52),
        ("ibm-granite/granite-3.1-8b-instruct", "0.19.0", 0.85),
        ("deepseek-ai/DeepSeek-V2-Lite", "0.19.0", 1.93),
        ("Qwen/Qwen1.5-MoE-A2.7B", "0.19.0", 2.47),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1 --tensor-parallel-size 2", "0.19.0", 1.21),
    ],
)
def test_the_activation_peak_is_that_of_the_profile_run(words: str, version: str, gib: float) -> None:
    assert terms(words, version).activation.gib == pytest.approx(gib, rel=0.07)


def test_a_larger_step_or_batch_takes_more_activation() -> None:
    deployment = deploy("vllm serve Qwen/Qwen3-8B", vllm_version="0.33.0", gpu="H100")
    shape = deployment.model
    assert shape is not None
    base = peak_bytes(shape, 8192, 256, (0, 33, 0))
    assert peak_bytes(shape, 32768, 256, (0, 33, 0)) > base
    assert peak_bytes(shape, 8192, 1024, (0, 33, 0)) > base
    assert peak_bytes(shape, 8192, 64, (0, 33, 0)) == peak_bytes(shape, 8192, 32, (0, 33, 0))  # the layer peaks


@pytest.mark.parametrize(
    ("words", "version", "gpu", "gib"),
    [
        ("Qwen/Qwen3-8B", "0.17.1", "H100", 0.13),
        ("Qwen/Qwen3-8B", "0.19.0", "H100", 0.25),
        ("Qwen/Qwen3-8B --tensor-parallel-size 2", "0.19.0", "H100", 2.1),
        ("Qwen/Qwen3-8B --tensor-parallel-size 2", "0.11.0", "H100", 0.55),
        ("Qwen/Qwen3-8B --tensor-parallel-size 2", "0.33.0", "L40S", 0.9),
    ],
)
def test_ranks_that_talk_hold_buffers_for_it(words: str, version: str, gpu: str, gib: float) -> None:
    assert terms(words, version, gpu).non_torch.gib == gib


def test_graphs_are_taken_out_of_the_pool_from_0_20() -> None:
    before, after = terms("Qwen/Qwen3-8B", "0.19.0"), terms("Qwen/Qwen3-8B --gpu-memory-utilization 0.9", "0.20.0")
    assert before.cuda_graphs.gib == after.cuda_graphs.gib > 0
    assert not before.graphs_subtracted
    assert before.pool.mid - after.pool.mid == pytest.approx(after.cuda_graphs.gib)


def test_eager_mode_has_no_graphs_and_fewer_sizes_take_less() -> None:
    assert terms("Qwen/Qwen3-8B --enforce-eager").cuda_graphs.gib == 0
    few = terms("Qwen/Qwen3-8B --cudagraph-capture-sizes 1 2 4 8").cuda_graphs.gib
    assert 0 < few < terms("Qwen/Qwen3-8B").cuda_graphs.gib / 3


def test_what_the_device_shows_is_less_than_it_is_sold_for() -> None:
    assert terms("Qwen/Qwen3-8B --gpu-memory-utilization 0.5").device.total == pytest.approx(79.19)
    assert terms("Qwen/Qwen3-8B --gpu-memory-utilization 0.5").device.usable == pytest.approx(39.595)


def test_a_device_whose_torch_total_is_not_known_is_assumed_a_little_under_its_drivers() -> None:
    device = terms("Qwen/Qwen3-8B", gpu="RTX 5090").device
    assert 31.2 < device.total < 31.84
    assert "assumed" in device.assumed


@pytest.mark.parametrize("gpu", [None, "cpu"])
def test_no_device_or_a_cpu_has_no_budget(gpu: str | None) -> None:
    assert device_of(deploy("vllm serve Qwen/Qwen3-8B", vllm_version="0.33.0", gpu=gpu)) is None


def test_offloaded_weights_are_not_on_the_gpu() -> None:
    assert terms("Qwen/Qwen3-8B --cpu-offload-gb 4").weights.gib == pytest.approx(
        terms("Qwen/Qwen3-8B").weights.gib - 4
    )


def test_lora_slots_take_memory() -> None:
    assert terms(f"Qwen/Qwen3-8B {' '.join(WIDE)}").weights.gib > terms("Qwen/Qwen3-8B").weights.gib + 0.3


def test_experts_spread_over_data_parallel_ranks_with_expert_parallelism() -> None:
    words = "deepseek-ai/DeepSeek-V3 --tensor-parallel-size 4 --data-parallel-size 2"
    assert (
        terms(words, gpu="8x H200").weights.gib
        > 1.8 * terms(words + " --enable-expert-parallel", gpu="8x H200").weights.gib
    )


@pytest.mark.parametrize(
    ("config", "method", "counted_in"),
    [
        ('{"method": "ngram", "num_speculative_tokens": 4}', None, 0.0),
        ('{"model": "Qwen/Qwen3-0.6B", "num_speculative_tokens": 4}', "draft_model", 1.1),
        ('{"method": "eagle3", "model": "x/eagle3", "num_speculative_tokens": 4}', "eagle3", 0.2),
    ],
)
def test_a_drafter_is_counted_where_it_has_weights(config: str, method: str | None, counted_in: float) -> None:
    deployment = deploy(f"vllm serve Qwen/Qwen3-8B --speculative-config '{config}'", vllm_version="0.33.0", gpu="H100")
    assert deployment.model is not None
    draft = draft_of(deployment, deployment.model)
    assert (draft.method if draft else None) == method
    more = (
        terms(f"Qwen/Qwen3-8B --speculative-config '{config}'", "0.33.0").weights.gib
        - terms("Qwen/Qwen3-8B", "0.33.0").weights.gib
    )
    assert more == pytest.approx(counted_in, abs=0.35)


def test_an_unknown_draft_model_is_said_not_guessed() -> None:
    spec = """--speculative-config '{"method": "draft_model", "model": "org/no-such", "num_speculative_tokens": 4}'"""
    deployment = deploy(f"vllm serve Qwen/Qwen3-8B {spec}", vllm_version="0.33.0", gpu="H100")
    assert deployment.model is not None
    draft = draft_of(deployment, deployment.model)
    assert draft is not None
    assert "not in the catalogue" in draft.assumed
    assert draft.runs == ()


def test_weights_without_a_config_are_the_published_count() -> None:
    deployment = deploy("vllm serve Qwen/Qwen3-8B", vllm_version="0.33.0", gpu="H100")
    assert deployment.model is not None
    bare = deployment.model.but(weights=(), params_total=8e9)
    found = weights_of(deployment, bare)
    assert found is not None
    assert found.total == 16e9
    assert counted(bare) is None
    assert weights_of(deployment, bare.but(params_total=None)) is None
    assert weight_bytes(bare, tp=2) == 8e9
