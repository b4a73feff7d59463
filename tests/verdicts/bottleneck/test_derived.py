import pytest

from engine.physics import deployment, memory
from verdicts.bottleneck.hearing import hear, load
from vllm_triage.domain import Conflict


def conflicts(**changes: float) -> str:
    return str(hear(load(**changes), deployment(max_num_seqs=64)).derived["conflicts"])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tpot_ms_mean": 2.0, "output_tok_s": 5000.0}, "below the floor"),
        ({"ttft_ms_mean": 5.0}, "below the prefill floor"),
        ({"total_tok_s": 90_000.0}, "of peak FLOPs"),
        ({"output_tok_s": 4000.0}, "exceeds the offered concurrency"),
        ({"output_tok_s": 8000.0, "concurrency": 500.0}, "exceeds max_num_seqs 64"),
        ({"running": 70.0, "waiting": 0.0}, "70 running exceeds max_num_seqs 64"),
    ],
)
def test_what_cannot_all_be_true_is_reported(changes: dict[str, float], said: str) -> None:
    assert said in conflicts(**changes)


def test_a_calm_case_has_no_conflicts() -> None:
    assert conflicts() == "[]"


def test_a_conflict_the_readers_found_is_kept() -> None:
    observed = load().but(conflicts=(Conflict(what="output rate", values=("800 (given)", "400 (bench)")),))
    assert "800 (given) against 400 (bench)" in str(hear(observed).derived["conflicts"])


def test_a_predicted_pool_shows_its_range_and_a_measured_one_has_none_to_show() -> None:
    low, high = hear(load(), budget=memory(400_000, measured=False, spread=0.1)).derived["S_kv_range"]  # type: ignore[misc]
    assert low < high
    low, high = hear(load(), budget=memory(400_000)).derived["S_kv_range"]  # type: ignore[misc]
    assert low == high


def test_every_figure_of_the_contract_is_there_by_name() -> None:
    told = hear(load()).derived
    for name in (
        "R",
        "N",
        "S_kv",
        "S_seq",
        "token_budget",
        "decode_floor_ms",
        "prefill_floor_ms",
        "chunk_step_ms",
        "mfu",
    ):
        assert told[name] is not None, name
