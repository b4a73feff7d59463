import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.physics import seen
from vllm_triage.domain import Observation
from vllm_triage.engine.load import read_load


def test_running_is_output_rate_times_time_per_token() -> None:
    assert read_load(seen(output_tok_s=102.21, tpot_ms_mean=66.61)).running == pytest.approx(6.81, abs=0.01)


def test_mean_itl_stands_for_tpot_and_says_so() -> None:
    load = read_load(seen(output_tok_s=1000, itl_ms_mean=20))
    assert load.running == pytest.approx(20)
    assert load.tpot_from == "ITL mean"
    assert any("one token" in note for note in load.notes)


def test_a_chunk_of_several_accepted_tokens_is_not_one_token() -> None:
    load = read_load(seen(output_tok_s=1000, itl_ms_mean=20, acceptance_length=2.5))
    assert load.tpot_ms == pytest.approx(8)


def test_in_system_is_rate_times_stay() -> None:
    load = read_load(seen(ttft_ms_mean=1000, tpot_ms_mean=10, output_tok_s=1010, output_tokens=101, input_tokens=100))
    assert load.request_rate == pytest.approx(10)
    assert load.in_system == pytest.approx(10 * (1.0 + 100 * 0.010))
    assert load.before_first == pytest.approx(10)


def test_total_rate_alone_gives_output_rate_by_the_share_of_output_tokens() -> None:
    load = read_load(seen(total_tok_s=3000, input_tokens=200, output_tokens=100, tpot_ms_mean=10))
    assert load.output_tok_s == pytest.approx(1000)
    assert any("share" in note for note in load.notes)


def test_end_to_end_time_serves_where_tpot_is_missing() -> None:
    load = read_load(seen(e2e_ms_mean=2000, request_rate=3))
    assert load.in_system == pytest.approx(6)


def test_zero_is_a_field_nobody_filled_in() -> None:
    load = read_load(seen(output_tok_s=0, tpot_ms_mean=10, itl_ms_mean=0))
    assert load.running is None
    assert load.output_tok_s is None


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([
    "ttft_ms_mean", "tpot_ms_mean", "itl_ms_mean", "output_tok_s", "total_tok_s", "request_rate", "concurrency",
    "input_tokens", "output_tokens", "e2e_ms_mean", "acceptance_length",
]), st.floats(0, 1e9)))  # fmt: skip
def test_any_subset_of_measurements_gives_numbers_that_are_not_negative(values: dict[str, float]) -> None:
    load = read_load(seen(**values))
    for value in (load.running, load.in_system, load.before_first, load.total_tok_s):
        assert value is None or value >= 0


def test_nothing_measured_is_nothing_known() -> None:
    load = read_load(Observation())
    assert (load.running, load.in_system, load.tpot_from) == (None, None, "")
