import pytest

from engine.physics import CPU, H100, dense, deployment, memory, seen
from vllm_triage.engine.roofline import roofline
from vllm_triage.verdicts.policy import h100_class, not_vllm_first

SLOW = {
    "output_tok_s": 40.0,
    "tpot_ms_mean": 20.0,
    "ttft_ms_mean": 500.0,
    "itl_ms_mean": 20.0,
    "concurrency": 32.0,
    "input_tokens": 500.0,
    "output_tokens": 200.0,
}


def rule(load: dict[str, float], pool: int = 400_000, **settings: object) -> tuple[bool, str]:
    where = deployment(**settings)  # type: ignore[arg-type]
    observed = seen(**load)
    refusal, why = not_vllm_first(where, observed, roofline(where, observed, memory(pool)))
    return refusal is not None, why


def test_a_slow_h100_is_sent_to_its_client_first() -> None:
    where, observed = deployment(), seen(**SLOW)
    refusal, _ = not_vllm_first(where, observed, roofline(where, observed, memory(400_000)))
    assert refusal is not None
    for suspect in ("tokenizer", "GIL", "one after another"):
        assert suspect in refusal.message


def test_a_fast_h100_is_not() -> None:
    assert rule({**SLOW, "output_tok_s": 101.0}) == (False, "")


@pytest.mark.parametrize("gpu", [None, CPU, H100.but(name="A100", bf16_tflops=312.0)])
def test_another_device_is_not(gpu: object) -> None:
    assert rule(SLOW, gpu=gpu) == (False, "")


def test_one_stream_of_a_large_model_is_explained_by_the_roofline() -> None:
    fired, why = rule(
        {**SLOW, "output_tok_s": 30.0, "concurrency": 1.0, "tpot_ms_mean": 33.0, "itl_ms_mean": 33.0}, model=dense(35e9)
    )
    assert not fired
    assert "roofline explains it" in why


def test_a_pool_of_one_long_request_explains_it() -> None:
    fired, why = rule(
        {**SLOW, "output_tok_s": 6.6, "input_tokens": 32_000.0, "output_tokens": 77.0}, pool=30_000, model=dense(32e9)
    )
    assert not fired
    assert "KV pool explains it" in why


def test_a_full_pool_with_a_queue_explains_it_without_any_arithmetic() -> None:
    fired, why = rule(
        {**SLOW, "kv_usage": 0.99, "waiting": 12.0}, model=dense().but(params_total=None, params_active=None)
    )
    assert not fired
    assert "12 requests wait for blocks" in why


def test_h100_class_is_a_rate_not_a_name() -> None:
    assert h100_class(H100)
    assert h100_class(H100.but(name="Something new"))
    assert not h100_class(H100.but(bf16_tflops=362.0))
    assert not h100_class(None)
