"""What is gained, by what is wanted."""

from vllm_triage.domain import Interval, Verdict
from vllm_triage.verdicts.whatif import Goal, best_of, goal_for, try_change

from .cases import CALM, ground, seen


def gained(goal: Goal, **changes: int) -> float:
    trial = try_change(ground(), changes)
    assert trial.prediction is not None
    return goal.gain(ground().prediction, trial.prediction, trial.by_metric)


def test_more_seats_gain_on_the_queue_and_lose_on_the_decode() -> None:
    assert gained(Goal(("ttft_ms_mean",)), max_num_seqs=24) > 0.2
    assert gained(Goal(("tpot_ms_mean",)), max_num_seqs=24) < 0


def test_a_missed_target_outranks_the_symptom() -> None:
    targets = {"tpot_ms_mean": 0.1}
    assert gained(Goal(("ttft_ms_mean",), targets), max_num_seqs=24) < 0 < gained(Goal(("ttft_ms_mean",)), max_num_seqs=24)


def test_a_target_that_is_met_must_stay_met() -> None:
    now = ground().prediction.tpot_ms.mean.mid
    free, bound = Goal(("ttft_ms_mean",)), Goal(("ttft_ms_mean",), {"tpot_ms_mean": now * 1.01})
    assert gained(bound, max_num_seqs=24) < gained(free, max_num_seqs=24)


def test_a_loss_of_throughput_is_never_a_fair_trade() -> None:
    trial = try_change(ground(), {"max_num_seqs": 24})
    assert trial.prediction is not None
    slower = trial.by_metric["output_tok_s"].but(ratio=Interval(low=0.001, mid=0.001, high=0.001))
    found = {**trial.by_metric, "output_tok_s": slower}
    assert Goal(("ttft_ms_mean",)).gain(ground().prediction, trial.prediction, found) < 0


def test_the_symptom_is_that_of_the_bottleneck() -> None:
    def metrics(**verdict: str) -> tuple[str, ...]:
        return goal_for(Verdict(status="classified", **verdict), seen(ttft_ms_mean=1.0), {}).metrics  # type: ignore[arg-type]

    assert metrics(bottleneck="queue_stall") == ("ttft_ms_mean",)
    assert metrics(bottleneck="decode_bound") == ("tpot_ms_mean",)
    assert metrics(bottleneck="chunked_prefill_missized", sub_bound="budget_too_large") == ("itl_ms_p99",)


def test_the_best_of_several_is_the_one_that_gains_most_and_none_when_none_does() -> None:
    goal = Goal(("ttft_ms_mean",))
    trials = [None, try_change(ground(), {"max_num_seqs": 4}), try_change(ground(), {"max_num_seqs": 24})]
    assert best_of(goal, ground().prediction, trials) == 2
    assert best_of(goal, ground(CALM).prediction, [try_change(ground(CALM), {"max_num_seqs": 24})]) is None


def test_a_tail_of_itl_that_nobody_sees_is_no_harm_to_a_shorter_queue() -> None:
    trial = try_change(ground(), {"max_num_seqs": 24})
    assert trial.prediction is not None

    def with_tail(before: float, after: float) -> float:
        tail = trial.by_metric["itl_ms_p99"].but(
            before=before, after=Interval(low=after, mid=after, high=after), ratio=Interval(low=1, mid=after / before, high=99)
        )
        found = {**trial.by_metric, "itl_ms_p99": tail}
        assert trial.prediction is not None
        return Goal(("ttft_ms_mean",)).gain(ground().prediction, trial.prediction, found)

    assert with_tail(9.0, 108.0) == with_tail(9.0, 9.0)
    assert with_tail(9.0, 400.0) < with_tail(9.0, 108.0)
