import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.planning.stand_in import asked, fleet
from vllm_triage.domain import Lengths, Workload
from vllm_triage.engine.cost import cost_model
from vllm_triage.engine.simulation import predict
from vllm_triage.verdicts.planning.demand import Demand, demand_of
from vllm_triage.verdicts.planning.launches import Launch, launch
from vllm_triage.verdicts.planning.layouts import Engine, Layout
from vllm_triage.verdicts.planning.outlook import Outlook, crowding, look, meets, rough
from vllm_triage.verdicts.planning.targets import targets_of
from vllm_triage.verdicts.planning.variants import Variant

ASK = asked("Qwen/Qwen3-32B")


def one() -> Launch:
    found = launch(ASK.base, fleet(), Variant("BF16", "Qwen/Qwen3-32B"), Layout(Engine(4)), {"max_model_len": 8192})
    assert isinstance(found, Launch)
    return found


LAUNCH = one()
COST = cost_model(LAUNCH.deployment, LAUNCH.memory)


def demand(users: float | None = 64, rate: float | None = None, prompt: float = 2000, output: float = 300) -> Demand:
    return Demand(prompt, prompt, output, round(prompt + output), users, rate)


def seen(**figures: float) -> Outlook:
    return look(LAUNCH, COST, demand(**figures), 1)


def test_it_agrees_with_the_simulation_on_a_steady_load() -> None:
    spread = {"shape": "uniform", "spread": 0.5}
    workload = Workload(
        arrivals="closed", concurrency=32, input=Lengths.model_validate({"mean": 2000.0, **spread}),
        output=Lengths.model_validate({"mean": 300.0, **spread}),
    )  # fmt: skip
    found = look(LAUNCH, COST, demand_of(workload, cached=True), 1)
    told = predict(LAUNCH.deployment, LAUNCH.memory, workload, cost=COST, at_most=300)
    assert abs(found.step_ms / told.tpot_ms.mean.mid - 1) < 0.15
    assert abs(found.rate / told.request_rate.mid - 1) < 0.15


def test_users_beyond_the_seats_wait() -> None:
    crowd = seen(users=5000)
    assert crowd.running == crowd.seats < 5000
    assert crowd.ttft_ms > 10 * seen(users=64).ttft_ms
    assert crowding(crowd, demand(users=5000), 1) > 1
    assert not meets(crowd, demand(users=5000), targets_of({"tpot_ms_mean": 1e6}), 1, {})


def test_a_rate_that_cannot_be_served_is_an_overload() -> None:
    assert seen(users=None, rate=1000).overloaded
    assert not seen(users=None, rate=0.5).overloaded


def test_a_target_is_held_against_the_figure_times_its_bound() -> None:
    found, need = seen(), demand()
    [target] = targets_of({"tpot_ms_mean": rough(found, need, targets_of({"tpot_ms_mean": 1})[0], 1) * 1.2})
    assert meets(found, need, (target,), 1, {"tpot_ms_mean": 1.1})
    assert not meets(found, need, (target,), 1, {"tpot_ms_mean": 1.3})


def test_rates_add_up_over_replicas() -> None:
    [target] = targets_of({"output_tok_s": 1})
    assert rough(seen(), demand(), target, 3) == pytest.approx(3 * rough(seen(), demand(), target, 1))


@settings(max_examples=25)
@given(st.floats(1, 2000), st.floats(1, 20_000), st.floats(1, 4000), st.integers(1, 8))
def test_more_replicas_are_never_slower(users: float, prompt: float, output: float, replicas: int) -> None:
    need = demand(users=users, prompt=prompt, output=output)
    few, more = (look(LAUNCH, COST, need, count) for count in (replicas, replicas + 1))
    assert more.step_ms <= few.step_ms * 1.02
