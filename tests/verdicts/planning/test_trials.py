import pytest

from verdicts.planning.stand_in import asked, fleet, foretold, simulator, traffic
from vllm_triage.domain import Deployment, Prediction
from vllm_triage.engine.cost import cost_model
from vllm_triage.verdicts.planning.launches import Launch, launch
from vllm_triage.verdicts.planning.layouts import Engine, Layout
from vllm_triage.verdicts.planning.trials import Trial, trial
from vllm_triage.verdicts.planning.variants import Variant


def tried(prediction: Prediction, servers: int = 1, price: float | None = None, **slo: float) -> tuple[Trial, float]:
    """A trial with that prediction of one server, and the users that server was asked about."""
    ask = asked("Qwen/Qwen3-30B-A3B", **slo)
    layout = Layout(Engine(2), servers=servers)
    made = launch(ask.base, fleet(price=price), Variant("BF16", "Qwen/Qwen3-30B-A3B"), layout, {"max_model_len": 4096})
    assert isinstance(made, Launch)
    users: list[float] = []

    def answer(_: Deployment, told: float) -> Prediction:
        users.append(told)
        return prediction

    cost = cost_model(made.deployment, made.memory)
    found = trial(made, cost, traffic(), ask.demand, ask.targets, simulate=simulator(answer))
    return found, users[0]


def test_of_several_servers_one_is_simulated_and_their_rates_add_up() -> None:
    found, users = tried(foretold(rate=10, running=16), servers=4)
    assert users == 16
    assert found.prediction.request_rate.mid == 40
    assert found.prediction.running == 64
    assert found.prediction.tpot_ms == foretold().tpot_ms
    assert "4 servers" in found.prediction.assumptions[-1]


def test_users_that_wait_are_not_served_where_no_target_speaks_of_waiting() -> None:
    found, _ = tried(foretold(running=4, waiting=60), tpot_ms_mean=1000)
    assert (found.met, found.crowded) == ("no", True)
    assert found.room < 0
    assert tried(foretold(running=4, waiting=60), ttft_ms_mean=1000)[0].met == "yes"


def test_without_targets_the_traffic_has_to_run() -> None:
    assert tried(foretold(waiting=3))[0].met == "yes"
    assert tried(foretold(waiting=30))[0].met == "no"
    assert tried(foretold(overloaded=True))[0].met == "no"


def test_the_price_of_a_million_tokens_is_that_of_the_hour_over_its_tokens() -> None:
    found, _ = tried(foretold(rate=10), price=3.0)
    each = found.per_million(found.prediction.output_tok_s)
    assert found.price == 6.0
    assert each is not None
    assert each.mid == pytest.approx(6.0 / 3600 / 3000 * 1e6)
    assert each.low < each.mid < each.high
    assert tried(foretold())[0].per_million(foretold().output_tok_s) is None


def test_the_target_missed_most_is_the_limiting_one() -> None:
    found, _ = tried(foretold(ttft=500, tpot=30), tpot_ms_mean=20, ttft_ms_mean=100)
    assert found.limiting is not None
    assert found.limiting.target.metric == "ttft_ms_mean"
