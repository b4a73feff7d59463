"""The cost model made to meet a measured point."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.physics import deployment, memory, seen
from vllm_triage.domain import Lengths, Workload
from vllm_triage.engine.cost import cost_model
from vllm_triage.engine.simulation import calibrate, predict

LAUNCH = deployment(max_model_len=16_384, enable_prefix_caching=True, async_scheduling=True)
POOL = memory(300_000, weights_gib=15.0)
LENGTHS = {"input_tokens": 1000.0, "output_tokens": 200.0}


def users(count: int) -> Workload:
    return Workload(
        arrivals="closed", concurrency=count, input=Lengths(mean=1000, shape="uniform", spread=0.3),
        output=Lengths(mean=200, shape="uniform", spread=0.3),
    )  # fmt: skip


def figures(workload: Workload, **scaled: Any) -> dict[str, float]:
    """What a server whose steps take other times than predicted would measure."""
    found = predict(LAUNCH, POOL, workload, cost=cost_model(LAUNCH, POOL).refit(**scaled))
    return {
        "ttft_ms_mean": found.ttft_ms.mean.mid, "tpot_ms_mean": found.tpot_ms.mean.mid,
        "output_tok_s": found.output_tok_s.mid,
    }  # fmt: skip


@given(st.sampled_from([1, 8, 48]), st.floats(0.6, 1.7), st.floats(0.6, 1.7), st.floats(15.0, 80.0))
@settings(max_examples=8, deadline=None)
def test_a_point_that_a_server_could_have_measured_is_met(
    count: int, decode: float, prefill: float, front: float
) -> None:
    truth = figures(users(count), decode=decode, prefill=prefill, first_token_ms=front)
    found = calibrate(LAUNCH, POOL, users(count), seen(**LENGTHS, concurrency=count, **truth))
    again = predict(LAUNCH, POOL, users(count), cost=found)
    assert again.tpot_ms.mean.mid == pytest.approx(truth["tpot_ms_mean"], rel=0.05)
    assert again.ttft_ms.mean.mid == pytest.approx(truth["ttft_ms_mean"], rel=0.12)
    assert again.output_tok_s.mid == pytest.approx(truth["output_tok_s"], rel=0.06)
    assert (again.basis, again.fit) == ("calibrated", found.fit)


def test_the_neighbouring_load_is_met_too() -> None:
    truth = figures(users(16), decode=1.4, prefill=1.2, first_token_ms=50.0)
    there = figures(users(48), decode=1.4, prefill=1.2, first_token_ms=50.0)
    found = calibrate(LAUNCH, POOL, users(16), seen(**LENGTHS, concurrency=16, **truth))
    again = predict(LAUNCH, POOL, users(48), cost=found)
    assert again.tpot_ms.mean.mid == pytest.approx(there["tpot_ms_mean"], rel=0.08)


def test_tpot_alone_is_enough_and_throughput_stands_for_it() -> None:
    truth = figures(users(16), decode=1.5)
    alone = calibrate(LAUNCH, POOL, users(16), seen(**LENGTHS, tpot_ms_mean=truth["tpot_ms_mean"]))
    assert alone.decode == pytest.approx(1.5, rel=0.15)
    del truth["tpot_ms_mean"]
    derived = calibrate(LAUNCH, POOL, users(16), seen(**LENGTHS, concurrency=16, **truth))
    assert derived.decode == pytest.approx(1.5, rel=0.15)


def test_the_fit_is_told_with_every_residual() -> None:
    truth = figures(users(16))
    fit = calibrate(LAUNCH, POOL, users(16), seen(**LENGTHS, concurrency=16, **truth)).fit
    assert fit.startswith("calibrated on your numbers: TPOT")
    assert fit.count("measured") == 3


def test_calibration_narrows_the_bands_but_not_where_the_point_is_not_met() -> None:
    predicted = cost_model(LAUNCH, POOL)
    truth = figures(users(16))
    met = calibrate(LAUNCH, POOL, users(16), seen(**LENGTHS, concurrency=16, **truth))
    assert met.bands == predicted.calibrated
    absurd = {**truth, "ttft_ms_mean": 60_000.0}
    missed = calibrate(LAUNCH, POOL, users(16), seen(**LENGTHS, concurrency=16, **absurd))
    assert missed.bands.ttft == predicted.bands.ttft
    assert "cannot be met" in missed.fit


def test_without_a_latency_the_model_stays_as_it_is() -> None:
    assert calibrate(LAUNCH, POOL, users(4), seen(**LENGTHS, concurrency=4)) == cost_model(LAUNCH, POOL)
