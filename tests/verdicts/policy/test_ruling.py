import pytest

from engine.physics import deployment, memory, seen
from vllm_triage.engine.roofline import roofline
from vllm_triage.verdicts.policy import Ruling, judge

FULL = {"ttft_ms_mean": 100.0, "itl_ms_mean": 10.0, "output_tok_s": 1000.0, "concurrency": 10.0}


def ruling(acknowledge: tuple[str, ...] = (), load: dict[str, float] = FULL, **settings: object) -> Ruling:
    where, observed = deployment(**settings), seen(**load)  # type: ignore[arg-type]
    return judge(where, observed, memory(), roofline(where, observed, memory()), acknowledge)


def test_a_clean_case_has_no_refusals() -> None:
    assert ruling() == Ruling((), (), ())


def test_an_acknowledged_refusal_stays_as_a_warning() -> None:
    ruled = ruling(("raise-ceiling-first",), gpu_memory_utilization=0.5)
    assert [r.rule for r in ruled.refusals] == ["raise-ceiling-first"]
    assert ruled.refusals[0].acknowledged
    assert ruled.standing == ()


def test_the_core_metrics_cannot_be_acknowledged_away() -> None:
    ruled = ruling(("core-metrics",), load={"ttft_ms_mean": 1.0})
    assert [r.rule for r in ruled.standing] == ["core-metrics"]
    assert any("always holds" in note for note in ruled.notes)


@pytest.mark.parametrize("name", ["no-such-rule", "tune-before-scale", "gpu-util-ignored"])
def test_a_name_that_acknowledges_nothing_is_answered(name: str) -> None:
    assert any(name in note for note in ruling((name,)).notes)


def test_several_refusals_stand_together() -> None:
    ruled = ruling(
        load={"ttft_ms_mean": 1.0},
        version="0.18.0",
        gpu_memory_utilization=0.5,
        speculative_config={"method": "draft_model", "model": "example/draft", "num_speculative_tokens": 3},
    )
    assert [r.rule for r in ruled.standing] == ["core-metrics", "raise-ceiling-first", "no-draft-chunked-0180"]


def test_without_a_launch_only_the_rules_on_measurements_apply() -> None:
    observed = seen(ttft_ms_mean=1.0)
    assert [r.rule for r in judge(None, observed, None, roofline(None, observed, None)).refusals] == ["core-metrics"]
