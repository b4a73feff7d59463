from dataclasses import astuple, fields

import pytest

from vllm_triage.engine.cost import Bands
from vllm_triage.engine.cost.bands import widened
from vllm_triage.engine.cost.fitted import BANDS, CALIBRATED_BANDS


@pytest.mark.parametrize("bands", [BANDS, CALIBRATED_BANDS])
def test_every_interval_holds_the_prediction_itself(bands: Bands) -> None:
    assert all(0 < low <= 1 <= high for low, high in astuple(bands))


@pytest.mark.parametrize("name", ["tpot", "itl", "throughput"])
def test_a_measured_point_and_a_comparison_are_surer_than_a_prediction(name: str) -> None:
    def width(bands: Bands, field: str) -> float:
        low, high = getattr(bands, field)
        return float(high / low)

    assert width(CALIBRATED_BANDS, name) < width(BANDS, name)
    assert width(BANDS, f"ratio_{name}") < width(BANDS, name)


def test_widening_multiplies_the_logarithm_of_every_bound() -> None:
    wide = widened(BANDS, 2.0)
    for field in fields(Bands):
        low, high = getattr(BANDS, field.name)
        assert getattr(wide, field.name) == (pytest.approx(low**2), pytest.approx(high**2))
