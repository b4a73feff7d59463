import pytest

from engine.physics import CPU, H100, dense, deployment, memory, moe
from vllm_triage.domain import Quantization
from vllm_triage.engine.machine import draft_tokens, machine


def test_a_dense_model_reads_all_its_weights_at_any_batch() -> None:
    box = machine(deployment(), None)
    assert box.weights_read(1) == box.weights_read(500) == pytest.approx(16e9)


def test_a_single_token_reads_four_experts_of_128() -> None:
    box = machine(deployment(moe()), None)
    one = (120e9 - 5e9) / (128 - 4)
    assert box.weights_read(1) == pytest.approx(2 * 5e9, rel=0.001)
    assert box.expert_share == pytest.approx(128 * one / 120e9)


def test_a_large_batch_hits_nearly_every_expert() -> None:
    box = machine(deployment(moe()), None)
    read = box.weights_read(200)
    assert read is not None
    assert 0.99 * 240e9 < read <= 240e9


def test_an_input_embedding_of_its_own_is_not_read() -> None:
    model = dense().but(tie_word_embeddings=False, vocab=150_000)
    read = machine(deployment(model), None).weights_read(1)
    assert read == pytest.approx(16e9 - 150_000 * 4096 * 2, rel=0.001)


def test_measured_weights_outrank_the_parameter_count() -> None:
    assert machine(deployment(), memory(weights_gib=10.0)).weights_read(1) == pytest.approx(10 * 2**30)


def test_tensor_parallelism_divides_what_one_gpu_reads() -> None:
    assert machine(deployment(tensor_parallel_size=4), None).weights_read(1) == pytest.approx(4e9)


def test_a_cpu_has_no_gpu_rates() -> None:
    box = machine(deployment(gpu=CPU), None)
    assert (box.bandwidth, box.peak, box.link) == (None, None, None)


def test_fp8_weights_on_a_gpu_with_fp8_compute_at_that_rate() -> None:
    model = dense().but(quantization=Quantization(method="fp8", weight_bits=8.0))
    assert machine(deployment(model), None).peak == pytest.approx(1978.9e12)
    assert machine(deployment(model, gpu=H100.but(fp8_tflops=None)), None).peak == pytest.approx(989.4e12)


def test_draft_tokens_are_read_from_the_speculative_config() -> None:
    assert draft_tokens(deployment(speculative_config={"method": "eagle3", "num_speculative_tokens": 3})) == 3
    assert draft_tokens(deployment()) == 0
