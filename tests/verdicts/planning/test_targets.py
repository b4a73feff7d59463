import pytest

from verdicts.planning.stand_in import foretold
from vllm_triage.report.targets import SLO_METRICS
from vllm_triage.verdicts.planning.targets import METRICS, bound_waiting, figure, judge, targets_of, worst


def test_whatever_an_slo_may_name_can_be_planned_for() -> None:
    assert set(SLO_METRICS) <= set(METRICS)
    assert {figure(foretold(), name).mid for name in METRICS}


@pytest.mark.parametrize(("limit", "met"), [(36.1, "yes"), (30.1, "likely"), (29.9, "no")])
def test_a_latency_is_met_by_its_high_end_likely_by_its_middle(limit: float, met: str) -> None:
    [outcome] = judge(foretold(tpot=30), targets_of({"tpot_ms_mean": limit}))
    assert outcome.met == met


@pytest.mark.parametrize(("limit", "met"), [(7.9, "yes"), (9.9, "likely"), (10.1, "no")])
def test_a_rate_is_met_by_its_low_end(limit: float, met: str) -> None:
    [outcome] = judge(foretold(rate=10), targets_of({"request_rate": limit}))
    assert outcome.met == met
    assert (outcome.room >= 0) == (met == "yes")
    assert (outcome.short_by > 0) == (met == "no")


def test_under_overload_no_latency_is_met() -> None:
    outcomes = judge(foretold(overloaded=True), targets_of({"ttft_ms_mean": 1e9, "output_tok_s": 1}))
    assert [outcome.met for outcome in outcomes] == ["no", "yes"]


def test_a_plan_is_as_good_as_the_target_it_meets_worst() -> None:
    assert worst(judge(foretold(tpot=30), targets_of({"tpot_ms_mean": 31, "ttft_ms_mean": 9999}))) == "likely"
    assert worst(()) == "yes"


def test_some_targets_bound_how_long_requests_wait() -> None:
    assert not bound_waiting(targets_of({"tpot_ms_mean": 30, "itl_ms_p99": 50}))
    assert bound_waiting(targets_of({"ttft_ms_p99": 3000}))


def test_an_unknown_name_and_a_limit_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown target 'tpot'"):
        targets_of({"tpot": 30})
    with pytest.raises(ValueError, match="above zero"):
        targets_of({"tpot_ms_mean": 0})
