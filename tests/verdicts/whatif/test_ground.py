"""The launch as it is, predicted: calibrated where it was measured."""

import pytest

from vllm_triage.domain import Observation
from vllm_triage.engine.cost import CannotPredict
from vllm_triage.verdicts.whatif import ground_on, try_change

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


def test_what_is_far_from_the_measurement_is_said() -> None:
    found = ground_on(*server(), seen(**{**MEASURED, "ttft_ms_mean": 90_000.0}), at_most=96)
    assert "ttft_ms_mean" in found.strayed
    assert any("take the direction" in note for note in found.notes)
    assert found.cost.unmet
    assert "nearest fit" in found.basis_words


def test_of_a_figure_far_from_its_measurement_only_the_percentage_is_told() -> None:
    found = ground_on(*server(), seen(**{**MEASURED, "ttft_ms_mean": 90_000.0}), at_most=96)
    trial = try_change(found, {"max_num_seqs": 24}, first=("ttft_ms_mean",))
    told, simulated = trial.by_metric["ttft_ms_mean"], trial.prediction
    assert simulated is not None
    assert told.before == 90_000.0
    assert told.after.low < simulated.ttft_ms.mean.mid < told.after.mid < told.after.high
    first = trial.words.split(",")[0]
    assert ("%" in first, "->" in first) == (True, False)


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


def test_a_changed_launch_is_known_no_better_than_the_one_that_was_measured() -> None:
    odd = ground_on(*server(), seen(**{**MEASURED, "output_tok_s": 5000.0}), at_most=96)
    other = odd.cost_of(*server("vllm serve Qwen/Qwen3-8B --kv-cache-dtype fp8"))
    assert "throughput" in odd.cost.unmet
    assert (other.unmet, other.bands) == (odd.cost.unmet, odd.cost.bands)


def test_progress_may_stop_the_work() -> None:
    class Stop(Exception):
        pass

    def stop(_: float) -> None:
        raise Stop

    with pytest.raises(Stop):
        ground_on(*server(), Observation(), CROWD, progress=stop)


BURST = {
    "input_tokens": 217.0, "output_tokens": 202.0, "concurrency": 200.0, "output_tok_s": 2000.0, "ttft_ms_mean": 8_000.0,
    "tpot_ms_mean": 25.0,
}  # fmt: skip


def test_users_who_are_missing_while_requests_queue_were_sent_at_once() -> None:
    """Rate 9.9/s x 13 s of stay is 129 of 200 users: the queue drains and nobody comes after."""
    found = ground_on(*server("vllm serve Qwen/Qwen3-8B --max-num-seqs 64"), seen(**BURST))
    assert (found.workload.arrivals, found.workload.requests) == ("at_once", 200)
    assert any("all at once" in note for note in found.assumptions)


def test_users_who_are_missing_without_a_queue_are_the_clients_affair() -> None:
    found = ground_on(*server(), seen(**{**BURST, "ttft_ms_mean": 100.0, "concurrency": 80.0}), at_most=160)
    assert found.workload.arrivals == "closed"
    assert (found.workload.concurrency or 0) < 80
    assert any("in the system by rate x stay" in note for note in found.assumptions)


def test_a_predicted_pool_holds_at_least_what_was_seen_running_in_it() -> None:
    launch = server("vllm serve Qwen/Qwen3-8B --num-gpu-blocks-override 1000")
    load = {**MEASURED, "concurrency": 60.0, "output_tok_s": 1500.0, "tpot_ms_mean": 16.0}
    found = ground_on(*launch, seen(**load), at_most=120)
    assert launch[1].pool is not None
    assert found.memory.pool is not None
    assert (found.memory.pool.tokens or 0) > (launch[1].pool.tokens or 0)
    assert any("seen running at once" in note for note in found.assumptions)
