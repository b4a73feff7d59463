import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.physics import H100, dense, deployment, memory, moe
from vllm_triage.engine.efficiency import gemm_share
from vllm_triage.engine.machine import machine
from vllm_triage.engine.step_time import chunk_step_ms, decode_step, prefill_floor_ms, saturation_batch


def test_one_stream_is_bound_by_reading_the_weights() -> None:
    step = decode_step(machine(deployment(), None), dense(), None, 1, None)
    assert step.weights == pytest.approx(1e3 * 16e9 / 3350e9)
    assert step.floor == pytest.approx(step.weights)
    assert step.bound == "bandwidth"


def test_long_contexts_make_kv_reads_the_larger_part() -> None:
    budget = memory()
    step = decode_step(machine(deployment(), budget), dense(), budget, 100, 4000)
    assert step.kv_reads == pytest.approx(1e3 * 100 * 4000 * 147456 / 3350e9)
    assert step.bound == "kv_reads"


def test_a_batch_beyond_saturation_is_bound_by_compute() -> None:
    box = machine(deployment(), None)
    batch = saturation_batch(box)
    assert batch == pytest.approx(989.4e12 / 3350e9)
    assert batch is not None
    assert decode_step(box, dense(), None, 2 * batch, None).bound == "compute"


def test_speculation_multiplies_the_tokens_of_a_step() -> None:
    plain = decode_step(machine(deployment(), None), dense(), None, 10, None)
    drafted = decode_step(
        machine(deployment(speculative_config={"method": "eagle3", "num_speculative_tokens": 3}), None),
        dense(),
        None,
        10,
        None,
    )
    assert plain.compute is not None
    assert drafted.compute == pytest.approx(4 * plain.compute)


def test_collectives_grow_on_a_slow_link() -> None:
    fast = decode_step(machine(deployment(tensor_parallel_size=4), None), dense(), None, 64, None)
    slow_link = H100.but(interconnect="pcie", interconnect_gb_s=32)
    slow = decode_step(machine(deployment(gpu=slow_link, tensor_parallel_size=4), None), dense(), None, 64, None)
    assert fast.collectives is not None
    assert slow.collectives is not None
    assert slow.collectives > 2 * fast.collectives > 0


def test_prefill_floor_counts_only_what_the_prefix_cache_does_not_hold() -> None:
    box = machine(deployment(), None)
    whole, half = prefill_floor_ms(box, 1000, 0.0), prefill_floor_ms(box, 1000, 0.5)
    assert whole is not None
    assert half is not None
    assert whole == pytest.approx(1e3 * 2 * 8e9 * 1000 / 989.4e12, rel=0.05)
    assert half == pytest.approx(whole / 2, rel=0.05)


def test_chunk_law_gives_the_published_tail_of_a_32b_model_on_h100() -> None:
    # GPUStack: Qwen3-32B BF16 on one H100 at a budget of 8192 shows a P99 ITL of 1395 to 1462 ms.
    box = machine(deployment(dense(32.76e9)), None)
    step = chunk_step_ms(box, 8192, gemm_share(H100, dense()))
    assert step is not None
    assert 1300 < step < 1550


@settings(max_examples=40, deadline=None)
@given(st.floats(1, 2000), st.floats(1, 2000), st.booleans())
def test_more_sequences_never_shorten_a_step(a: float, b: float, mixture: bool) -> None:
    model = moe() if mixture else dense()
    budget = memory()
    box = machine(deployment(model), budget)
    few, many = (decode_step(box, model, budget, n, 500).floor for n in sorted((a, b)))
    assert few is not None
    assert many is not None
    assert few <= many
