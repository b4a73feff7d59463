from verdicts.planning.stand_in import asked, fleet, foretold
from vllm_triage.domain import Prediction
from vllm_triage.engine.cost import cost_model
from vllm_triage.verdicts.planning.knobs import knobs
from vllm_triage.verdicts.planning.launches import Launch, launch
from vllm_triage.verdicts.planning.layouts import Engine, Layout
from vllm_triage.verdicts.planning.targets import judge, targets_of, worst
from vllm_triage.verdicts.planning.trials import Trial
from vllm_triage.verdicts.planning.variants import Variant


def turned(
    prediction: Prediction, command: str = "Qwen/Qwen3-32B", *, crowded: bool = False, **slo: float
) -> list[str]:
    """The knobs for a trial with that prediction, as ``name value``."""
    ask = asked(command, **slo)
    made = launch(ask.base, fleet(), Variant("BF16", "Qwen/Qwen3-32B"), Layout(Engine(4)), {"max_model_len": 4096})
    assert isinstance(made, Launch)
    outcomes = judge(prediction, targets_of(slo))
    trial = Trial(
        made, prediction, outcomes, worst(outcomes), cost_model(made.deployment, made.memory), ask.demand, crowded
    )
    return [f"{name} {value}" for changes in knobs(trial, ask.demand) for name, value in changes.items()]


def test_a_gap_between_tokens_hangs_on_the_budget() -> None:
    [knob] = turned(foretold(tpot=90), itl_ms_p99=150)
    name, value = knob.split()
    assert name == "max_num_batched_tokens"
    assert 512 <= int(value) < 8192


def test_a_gap_that_no_budget_mends_gets_the_smallest() -> None:
    assert turned(foretold(tpot=90), itl_ms_p99=1) == ["max_num_batched_tokens 512"]


def test_a_first_token_behind_a_full_pool_hangs_on_the_cache() -> None:
    assert turned(foretold(ttft=9000, kv=1.0, waiting=40), ttft_ms_p99=2000) == ["kv_cache_dtype fp8"]


def test_a_cache_that_is_narrow_already_is_left() -> None:
    narrow = "vllm serve Qwen/Qwen3-32B --kv-cache-dtype fp8"
    assert "kv_cache_dtype fp8" not in turned(foretold(ttft=9000, kv=1.0, waiting=40), narrow, ttft_ms_p99=2000)


def test_a_first_token_behind_other_prompts_hangs_on_the_budget() -> None:
    small = "vllm serve Qwen/Qwen3-32B --max-num-batched-tokens 1024"
    assert turned(foretold(ttft=9000, waiting=40), small, ttft_ms_p99=2000) == ["max_num_batched_tokens 2048"]
    assert turned(foretold(ttft=9000), small, ttft_ms_p99=2000) == []


def test_a_crowd_before_a_full_pool_needs_a_narrower_cache() -> None:
    assert turned(foretold(kv=1.0, waiting=40), crowded=True, tpot_ms_mean=20) == ["kv_cache_dtype fp8"]
    assert turned(foretold(kv=0.4, waiting=40), crowded=True, tpot_ms_mean=20) == []
