import math

import pytest

from vllm_triage.readers.reading import Partial, excerpt, number


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -1, -0.5, True, "3", None, [1], 10**400])
def test_what_no_measurement_can_be_is_no_number(value: object) -> None:
    assert number(value) is None


@pytest.mark.parametrize("value", [0, 0.0, 3, 2.5, 10**15])
def test_a_finite_count_or_time_is_a_number(value: float) -> None:
    assert number(value) == value


def test_an_excerpt_is_one_printable_line_of_bounded_length() -> None:
    assert excerpt("a\x1b[31mb\r\n\tc\x00") == "a [31mb c"
    assert len(excerpt("x" * 1000)) == 200
    assert excerpt("x" * 1000).endswith("…")


def test_a_missing_value_is_silent_and_an_impossible_one_listed() -> None:
    part = Partial(what="x")
    part.add("ttft_ms_mean", None, "tool: a", "client")
    part.add("itl_ms_mean", "fast", "tool: b", "client")
    part.add("tpot_ms_mean", 2.0, "tool: c", "client", 1000)
    assert part.unread == ["tool: b: 'fast' is not a measurement"]
    assert part.get("tpot_ms_mean") == 2000
    assert list(part.names()) == ["tpot_ms_mean"]
