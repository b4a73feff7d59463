"""The launch as it is, predicted: calibrated where it was measured."""

import pytest

from vllm_triage.domain import Observation
from vllm_triage.engine.cost import CannotPredict
from vllm_triage.verdicts.whatif import ground_on

from .cases import CROWD, MEASURED, RATE, ground, seen, server


def test_without_measurements_the_prediction_says_that_it_is_one() -> None:
    found = ground()
    assert (found.cost.basis, found.prediction.basis, found.measured) == ("predicted", "predicted", {})


def test_with_the_core_metrics_it_is_calibrated_on_them_and_keeps_what_was_measured() -> None:
    found = ground_on(*server(), seen(**MEASURED), at_most=96)
    assert found.cost.basis == "calibrated"
    assert "calibrated on your numbers" in found.cost.fit
    assert found.measured["tpot_ms_mean"] == 11.0


def test_other_traffic_than_the_measured_is_calibrated_but_anchored_on_nothing() -> None:
    found = ground_on(*server(), seen(**MEASURED), RATE, at_most=96)
    assert (found.cost.basis, found.measured, found.workload) == ("calibrated", {}, RATE)


def test_what_is_far_from_the_measurement_is_said_and_not_used() -> None:
    found = ground_on(*server(), seen(**{**MEASURED, "ttft_ms_mean": 90_000.0}), at_most=96)
    assert "ttft_ms_mean" not in found.measured
    assert any("take the direction" in note for note in found.notes)


@pytest.mark.parametrize(
    ("launch", "observation", "needs"),
    [
        (server(gpu="cpu"), seen(**MEASURED), "CPU"),
        (server("vllm serve someone/unknown"), seen(**MEASURED), "model"),
        (server(), Observation(), "traffic"),
    ],
    ids=["cpu", "model", "traffic"],
)
def test_what_is_missing_is_named(launch: tuple[object, object], observation: Observation, needs: str) -> None:
    with pytest.raises(CannotPredict, match=needs):
        ground_on(*launch, observation)  # type: ignore[arg-type]


def test_a_changed_launch_keeps_what_calibration_found_of_the_machine() -> None:
    found = ground_on(*server(), seen(**MEASURED), at_most=96)
    other = found.cost_of(*server("vllm serve Qwen/Qwen3-8B --kv-cache-dtype fp8"))
    assert (other.decode, other.prefill, other.basis) == (found.cost.decode, found.cost.prefill, "calibrated")
    assert ground().cost_of(*server()).basis == "predicted"


def test_progress_may_stop_the_work() -> None:
    class Stop(Exception):
        pass

    def stop(_: float) -> None:
        raise Stop

    with pytest.raises(Stop):
        ground_on(*server(), Observation(), CROWD, progress=stop)
