"""House rules held by the type of a recommendation."""

import pytest
from pydantic import ValidationError

from vllm_triage.domain import CompatReport, Exhausted, Finding, Recommendation

CLEAR = CompatReport(vllm_version="0.18.0", ok=True, rules_checked=30, speculation_checked=True)
WORDS = {"why": "w", "expected": "e", "watch": "w", "risk": "r", "undo": "u"}


def action(**changes: object) -> Recommendation:
    return Recommendation(**{"order": 1, "action": "turn a knob", **WORDS, **changes})


TURNING_ON = [
    {"flag": "--enable-chunked-prefill", "to": True},
    {"flag": "--enable-chunked-prefill"},
    {"flag": "--no-enable-chunked-prefill", "to": None},
    {"flag": "--no-enable-chunked-prefill", "to": False},
    {"flag": "--disable-chunked-prefill", "to": False},
    {"action": "add --enable-chunked-prefill to the command"},
]


@pytest.mark.parametrize("change", TURNING_ON)
def test_chunked_prefill_is_never_turned_on_without_a_compat_report(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="chunked-prefill-cleared"):
        action(**change)


@pytest.mark.parametrize("change", TURNING_ON)
def test_a_compat_report_that_skipped_speculation_does_not_clear_chunked_prefill(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="chunked-prefill-cleared"):
        action(**change, clearance=CLEAR.but(speculation_checked=False))


@pytest.mark.parametrize("change", TURNING_ON)
def test_a_clear_report_lets_chunked_prefill_be_turned_on_and_is_named(change: dict[str, object]) -> None:
    made = action(**change, clearance=CLEAR)
    assert made.to_json()["cleared_by"] == "check_compat, vLLM 0.18.0: 30 rules, none fatal"


def test_a_report_with_a_fatal_finding_clears_nothing() -> None:
    fatal = Finding(
        rule="r",
        severity="fatal",
        title="t",
        message="m",
        versions=">=0",
        effect="e",
        fix="f",
        basis="source",
        evidence=("e",),
    )
    with pytest.raises(ValidationError, match="fatal findings"):
        action(clearance=CLEAR.but(ok=False, findings=(fatal,)))


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "scale_out"},
        {"flag": "--tensor-parallel-size", "from_": 1, "to": 2},
        {"flag": "--data-parallel-size", "to": 4},
        {"flag": "--pipeline-parallel-size"},
    ],
)
def test_more_gpus_are_never_proposed_without_the_list_of_what_was_exhausted(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="tune-before-scale"):
        action(**change)
    spent = Exhausted(change="raise --gpu-memory-utilization", because="it is 0.95")
    assert action(**change, exhausted=(spent,)).exhausted == (spent,)


def test_fewer_gpus_need_no_list() -> None:
    assert action(flag="--tensor-parallel-size", from_=4, to=2).exhausted == ()


def test_the_house_rules_cannot_be_walked_around() -> None:
    with pytest.raises(TypeError, match="always validated"):
        Recommendation.model_construct(order=1, flag="--enable-chunked-prefill", to=True)
    with pytest.raises(ValidationError, match="chunked-prefill-cleared"):
        action().model_copy(update={"flag": "--enable-chunked-prefill"})


def test_what_fails_at_the_start_stops_a_launch_unless_the_one_that_runs_is_said_to_fail_too() -> None:
    mild = Finding(
        rule="mild", severity="degraded", title="t", message="m", versions="all", effect="e", fix="f", basis="source", evidence=("e",)
    )
    later = mild.but(rule="later", starts=False)
    fatal = mild.but(rule="fatal", severity="fatal")
    assert CLEAR.but(findings=(mild,)).stops() is None
    assert CLEAR.but(findings=(mild, later)).stops() == later
    assert CLEAR.but(findings=(later,)).stops(CLEAR.but(findings=(later,))) is None
    assert CLEAR.but(ok=False, findings=(fatal,)).stops(CLEAR.but(ok=False, findings=(fatal,))) == fatal
