from dataclasses import replace

import pytest

from engine.physics import dense, deployment, memory
from vllm_triage.engine.cost import cost_model
from vllm_triage.engine.cost.rates import Rates, rates_of
from vllm_triage.engine.cost.terms import Window

MODEL = cost_model(deployment(dense()), memory())


def rates(**changed: object) -> Rates:
    return replace(MODEL.rates, **changed)


def test_each_part_is_the_peak_time_over_the_share_reached() -> None:
    at, got = MODEL.terms, MODEL.reached
    assert MODEL.rates.dense == (at.dense_read / got.weights, at.dense_flops / got.gemm)
    assert MODEL.rates.held == at.kv_read / got.kv  # reading is the longer of the two for grouped queries
    assert MODEL.rates.pair == at.pair_flops / got.attention
    assert MODEL.rates.fixed == pytest.approx(1e-3 * got.layer_us * 36)


def test_a_long_prompt_costs_its_products_its_pairs_and_its_tokens() -> None:
    size = 50_000.0
    pairs = size * size / 2
    time = MODEL.rates.step_ms(0, 0, size, pairs, size, 1)
    least = MODEL.rates.dense[1] * size + MODEL.rates.pair * pairs + MODEL.rates.token * size
    assert least < time < 1.05 * least


def test_a_window_bounds_what_is_read_and_what_is_multiplied() -> None:
    at = replace(MODEL.terms, kv_read=0.0, kv_flops=0.0, pair_flops=0.0, windows=(Window(100.0, 1e-3, 1e-6),))
    windowed = rates_of(at, MODEL.reached)
    assert windowed.step_ms(4, 4 * 500, 0, 0, 0, 0) == windowed.step_ms(4, 4 * 100, 0, 0, 0, 0)
    assert windowed.step_ms(4, 4 * 50, 0, 0, 0, 0) < windowed.step_ms(4, 4 * 100, 0, 0, 0, 0)
    far, near = (windowed.step_ms(0, 0, 10, pairs, 0, 1) for pairs in (1e9, 10 * 100.0))
    assert far == near


def test_recurrent_state_is_moved_for_every_sequence_whatever_its_length() -> None:
    kept = rates(state=0.5)
    assert kept.step_ms(8, 80, 0, 0, 0, 0) - MODEL.rates.step_ms(8, 80, 0, 0, 0, 0) == pytest.approx(4.0)


def test_stages_of_a_pipeline_share_the_sequences() -> None:
    two = rates(stages=2)
    assert two.step_ms(1, 1e6, 0, 0, 0, 0) == MODEL.rates.step_ms(1, 1e6, 0, 0, 0, 0)
    saved = MODEL.rates.step_ms(2, 1e6, 0, 0, 0, 0) - two.step_ms(2, 1e6, 0, 0, 0, 0)
    assert saved == pytest.approx(MODEL.rates.held * 5e5, rel=0.01)


def test_each_expert_picked_computes_a_tile_that_its_tokens_do_not_fill() -> None:
    bare = rates(experts=(0.0, 1e-3), pick=1 / 16, meeting=1.0, rows=0.0)
    tiled = replace(bare, rows=24.0)

    def extra(tokens: float) -> float:
        return tiled.step_ms(tokens, 0, 0, 0, 0, 0) - bare.step_ms(tokens, 0, 0, 0, 0, 0)

    assert extra(1) == pytest.approx(24e-3)  # as many rows more as a tile has, for each expert of the one token
    assert extra(1) < extra(64) < extra(4096) == pytest.approx(16 * 24e-3)  # all of them are picked in the end
    assert extra(4096) == pytest.approx(extra(40_960))
