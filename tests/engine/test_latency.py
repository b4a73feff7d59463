import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.physics import deployment, measured, memory, seen
from vllm_triage.domain import Observation
from vllm_triage.engine.latency import take_apart
from vllm_triage.engine.roofline import roofline

LOAD = {
    "output_tok_s": 1000.0,
    "tpot_ms_mean": 20.0,
    "ttft_ms_mean": 900.0,
    "input_tokens": 1000.0,
    "output_tokens": 200.0,
}


def test_the_parts_add_up_to_what_was_measured() -> None:
    load, where = seen(**LOAD), deployment()
    parts = take_apart(where, load, roofline(where, load, memory()))
    assert sum(p.ms for p in parts.ttft) == pytest.approx(900)
    assert sum(p.ms for p in parts.itl) == pytest.approx(20)


def test_without_a_queue_time_the_rest_is_called_queue_or_unexplained() -> None:
    load, where = seen(**LOAD), deployment()
    parts = take_apart(where, load, roofline(where, load, memory()))
    assert parts.ttft[-1].name == "queue or unexplained"
    assert parts.ttft[-1].ms > 700


def test_the_engine_s_own_queue_time_is_used_when_ttft_is_of_the_same_scrape() -> None:
    load = Observation(
        **{  # type: ignore[arg-type]
            **{name: measured(value) for name, value in LOAD.items()},
            "ttft_ms_mean": measured(900, "metrics: ttft"),
            "queue_ms_mean": measured(700, "metrics: queue"),
            "prefill_ms_mean": measured(150, "metrics: prefill"),
        }
    )
    where = deployment()
    parts = {p.name: p.ms for p in take_apart(where, load, roofline(where, load, memory())).ttft}
    assert parts["queue"] == 700
    assert parts["unexplained"] <= 60
    assert sum(parts.values()) == pytest.approx(900)


def test_a_queue_time_of_another_source_is_not_mixed_in() -> None:
    load = Observation(
        **{**{name: measured(value) for name, value in LOAD.items()}, "queue_ms_mean": measured(5, "metrics: queue")}  # type: ignore[arg-type]
    )
    where = deployment()
    assert "queue" not in {p.name for p in take_apart(where, load, roofline(where, load, memory())).ttft}


def test_nothing_is_made_up_without_a_launch() -> None:
    load = seen(**LOAD)
    parts = take_apart(None, load, roofline(None, load, None))
    assert parts.ttft == parts.itl == ()
    assert parts.ttft_ms == 900


@settings(max_examples=60, deadline=None)
@given(st.floats(0.1, 1e6), st.floats(0.01, 1e4), st.floats(1, 1e5), st.floats(1, 1e5), st.floats(0.01, 1e3))
def test_parts_always_add_up_and_none_is_negative(
    ttft: float, tpot: float, isl: float, osl: float, rate: float
) -> None:
    load = seen(
        ttft_ms_mean=ttft,
        tpot_ms_mean=tpot,
        input_tokens=isl,
        output_tokens=osl,
        request_rate=rate,
        output_tok_s=rate * osl,
    )
    where = deployment()
    parts = take_apart(where, load, roofline(where, load, memory()))
    assert sum(p.ms for p in parts.ttft) == pytest.approx(ttft, rel=1e-6, abs=1e-6)
    assert sum(p.ms for p in parts.itl) == pytest.approx(tpot, rel=1e-6, abs=1e-6)
    assert all(p.ms >= 0 for p in (*parts.ttft, *parts.itl))
