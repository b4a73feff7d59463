from verdicts.planning.stand_in import asked, fleet, foretold
from vllm_triage.domain import Prediction
from vllm_triage.engine.cost import cost_model
from vllm_triage.verdicts.planning.launches import Launch, launch
from vllm_triage.verdicts.planning.layouts import Engine, Layout
from vllm_triage.verdicts.planning.ranking import MOST_SHOWN, beaten_by, ranked, spend
from vllm_triage.verdicts.planning.targets import judge, targets_of, worst
from vllm_triage.verdicts.planning.trials import Trial
from vllm_triage.verdicts.planning.variants import Variant

ASK = asked("Qwen/Qwen3-8B")
BF16 = Variant("BF16", "Qwen/Qwen3-8B")
FP8 = Variant("FP8 on load", "Qwen/Qwen3-8B", args={"quantization": "fp8"}, altered=1)
AWQ = Variant("AWQ", "./Qwen3-8B-AWQ", altered=3, assumed="needs a checkpoint")
SLO = targets_of({"tpot_ms_mean": 100})


def tried(
    prediction: Prediction, tp: int = 1, variant: Variant = BF16, price: float | None = None, **tuned: int
) -> Trial:
    made = launch(ASK.base, fleet(price=price), variant, Layout(Engine(tp)), {"max_model_len": 4096, **tuned})
    assert isinstance(made, Launch)
    outcomes = judge(prediction, SLO)
    return Trial(made, prediction, outcomes, worst(outcomes), cost_model(made.deployment, made.memory), ASK.demand)


def at(tpot: float) -> Prediction:
    return foretold(tpot=tpot)


def test_what_meets_the_targets_comes_first_then_the_cheaper() -> None:
    likely, two, four = tried(at(90), 1), tried(at(60), 2), tried(at(40), 4)
    assert ranked([four, likely, two])[0] == [two, four, likely]


def test_the_same_room_for_more_gpus_is_beaten() -> None:
    two, four = tried(at(60), 2), tried(at(62), 4)
    assert ranked([two, four]) == ([two], [(four, two)])


def test_less_altered_numbers_are_worth_showing_for_more_gpus() -> None:
    eight, plain = tried(at(60), 1, FP8), tried(at(62), 2)
    assert ranked([plain, eight])[0] == [eight, plain]


def test_a_checkpoint_that_may_not_exist_comes_after_one_that_does() -> None:
    four_bits, plain = tried(at(40), 1, AWQ), tried(at(60), 4)
    assert ranked([four_bits, plain])[0] == [plain, four_bits]
    likely = tried(at(90), 4)
    assert ranked([four_bits, likely])[0] == [likely, four_bits]


def test_what_misses_where_another_meets_is_left_out_with_the_one_that_meets() -> None:
    good, bad = tried(at(60), 2, FP8), tried(at(140), 2)
    assert ranked([bad, good]) == ([good], [(bad, good)])


def test_of_two_alike_the_simpler_is_kept() -> None:
    simple, tuned = tried(at(62), 2), tried(at(60), 2, max_num_batched_tokens=4096)
    assert ranked([tuned, simple]) == ([simple], [(tuned, simple)])
    better = tried(at(30), 2, max_num_batched_tokens=4096)
    assert ranked([simple, better]) == ([better], [(simple, better)])


def test_what_misses_is_shown_only_where_nothing_meets_the_closest_first() -> None:
    near, far = tried(at(110), 2), tried(at(300), 1)
    assert ranked([far, near])[0] == [near, far]
    assert ranked([far, near, tried(at(50), 8)])[0][0].met == "yes"
    assert len(ranked([far, near, tried(at(50), 8)])[0]) == 1


def test_money_counts_where_a_price_is_known() -> None:
    assert spend(tried(at(60), 2, price=3.0)) == 6.0
    assert spend(tried(at(60), 2)) == 2.0


def test_nothing_is_beaten_by_itself_alone_and_few_are_shown() -> None:
    trials = [tried(at(90 - 10 * i), tp) for i, tp in enumerate((1, 2, 4, 8))]
    trials += [tried(at(55 - 10 * i), tp, FP8) for i, tp in enumerate((1, 2, 4, 8))]
    shown, beaten = ranked(trials)
    assert len(shown) <= MOST_SHOWN
    assert all(beaten_by(loser, winner) for loser, winner in beaten)
