"""What a deployment does under a workload."""

from typing import Any

import pytest

from engine.physics import CPU, deployment, memory
from vllm_triage.domain import Deployment, Lengths, MemoryBudget, Prediction, Workload
from vllm_triage.engine.cost import cost_model
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate
from vllm_triage.engine.simulation import CannotPredict, predict

POOL = memory(300_000, weights_gib=15.0)


def launch(**settings: Any) -> Deployment:
    return deployment(**{"max_model_len": 16_384, "enable_prefix_caching": True, "async_scheduling": True, **settings})


def closed(users: int, prompt: float = 1000, output: float = 200, **more: Any) -> Workload:
    return Workload(
        arrivals="closed", concurrency=users, input=Lengths(mean=prompt, shape="uniform", spread=0.2),
        output=Lengths(mean=output, shape="uniform", spread=0.2), **more,
    )  # fmt: skip


def seen(workload: Workload, pool: MemoryBudget = POOL, **settings: Any) -> Prediction:
    return predict(launch(**settings), pool, workload)


def test_littles_law_holds_in_the_prediction() -> None:
    found = seen(closed(32))
    front = cost_model(launch(), POOL).first_token_ms
    stay = (found.e2e_ms.mean.mid - front) / 1000
    assert found.running + found.waiting == pytest.approx(found.request_rate.mid * stay, rel=0.05)
    assert found.output_tok_s.mid == pytest.approx(200 * found.request_rate.mid, rel=0.05)
    assert found.total_tok_s.mid == pytest.approx(1200 * found.request_rate.mid, rel=0.05)


def test_every_figure_lies_within_its_interval_and_percentiles_are_in_order() -> None:
    found = seen(closed(16))
    for latency in (found.ttft_ms, found.itl_ms, found.tpot_ms, found.e2e_ms):
        for figure in (latency.mean, latency.p50, latency.p99):
            assert 0 < figure.low < figure.mid < figure.high
        assert latency.p50.mid <= latency.p99.mid
    assert found.basis == "predicted"


def test_more_users_mean_longer_gaps_and_more_throughput() -> None:
    found = [seen(closed(users)) for users in (1, 4, 16, 64)]
    assert [p.tpot_ms.mean.mid for p in found] == sorted(p.tpot_ms.mean.mid for p in found)
    assert [p.output_tok_s.mid for p in found] == sorted(p.output_tok_s.mid for p in found)
    assert [p.kv_usage for p in found] == sorted(p.kv_usage for p in found)


def test_longer_prompts_mean_a_later_first_token() -> None:
    found = [seen(closed(8, prompt=prompt)).ttft_ms.mean.mid for prompt in (200, 1000, 4000, 8000)]
    assert found == sorted(found)


def test_fewer_seats_make_users_wait() -> None:
    few, many = seen(closed(64), max_num_seqs=16), seen(closed(64), max_num_seqs=256)
    assert few.waiting > 30 > many.waiting
    assert few.running_peak == 16
    assert few.ttft_ms.mean.mid > 3 * many.ttft_ms.mean.mid
    assert few.tpot_ms.mean.mid < many.tpot_ms.mean.mid


def test_a_small_pool_preempts_and_computes_again() -> None:
    found = seen(closed(64, output=800), memory(40_000, weights_gib=15.0))
    assert found.preemptions > 0
    assert found.recomputed_tokens > 0
    assert found.kv_usage_peak > 0.95
    assert found.waiting > 0


def test_a_shared_prefix_saves_prefill_only_with_the_cache_on() -> None:
    workload = closed(32, prompt=4000, shared_prefix_tokens=3200)
    with_cache, without = seen(workload), seen(workload, enable_prefix_caching=False)
    assert with_cache.prefix_hit_rate == pytest.approx(0.8, abs=0.05)
    assert without.prefix_hit_rate is None
    assert with_cache.ttft_ms.mean.mid < without.ttft_ms.mean.mid


def test_replicas_share_the_traffic_and_their_figures_add_up() -> None:
    one, four = seen(closed(16)), seen(closed(64), data_parallel_size=4)
    assert four.output_tok_s.mid == pytest.approx(4 * one.output_tok_s.mid, rel=0.01)
    assert four.running == pytest.approx(4 * one.running, rel=0.01)
    assert any("replicas" in said for said in four.assumptions)


def test_open_traffic_that_is_served_is_served_at_its_rate() -> None:
    workload = Workload(arrivals="open", request_rate=3.0, input=Lengths(mean=500), output=Lengths(mean=100))
    found = seen(workload)
    assert found.request_rate.mid == pytest.approx(3.0, rel=0.05)
    assert found.request_rate.low == found.request_rate.mid == found.request_rate.high
    assert seen(workload.but(request_rate=300.0)).overloaded


def test_the_timeline_is_short_and_in_order() -> None:
    found = seen(closed(16, requests=500))
    assert 20 <= len(found.timeline) <= 121
    times = [moment.at_s for moment in found.timeline]
    assert times == sorted(times)
    assert times[-1] <= found.duration_s


def test_where_most_requests_are_longer_than_the_model_takes_nothing_is_predicted() -> None:
    with pytest.raises(CannotPredict, match=r"requests within max_model_len \(16,384\)"):
        seen(closed(4, prompt=20_000))


def test_of_a_crowd_that_waits_the_rate_is_that_of_whole_requests_however_few_are_simulated() -> None:
    pool = memory(30_000, weights_gib=15.0)
    few, many = (predict(launch(), pool, closed(users), at_most=n) for users, n in ((5000, 200), (100, 2000)))
    assert few.output_tok_s.mid == pytest.approx(many.output_tok_s.mid, rel=0.06)
    assert few.output_tok_s.mid / few.request_rate.mid == pytest.approx(200, rel=0.1)


def test_what_was_assumed_is_said() -> None:
    spec = {"method": "eagle3", "num_speculative_tokens": 3}
    said = " ".join(seen(closed(4, notes=("read so",)), speculative_config=spec).assumptions)
    assert "read so" in said
    assert "accepted with probability" in said
    assert "cut short" in " ".join(seen(closed(4, prompt=13_000, output=2600)).assumptions)
    assert "taken to be that of 0.12.0" in " ".join(seen(closed(4), version="0.10.0").assumptions)


def test_the_two_sides_of_disaggregated_prefill_take_each_a_part() -> None:
    prefill = seen(closed(8), kv_transfer_config={"kv_connector": "NixlConnector", "kv_role": "kv_producer"})
    decode = seen(closed(8), kv_transfer_config={"kv_connector": "NixlConnector", "kv_role": "kv_consumer"})
    assert prefill.output_tok_s.mid == pytest.approx(prefill.request_rate.mid)
    assert decode.ttft_ms.mean.mid < prefill.ttft_ms.mean.mid


def test_the_same_is_predicted_again() -> None:
    assert seen(closed(16)) == seen(closed(16))


def test_progress_goes_from_nothing_to_one() -> None:
    told: list[float] = []
    predict(launch(), POOL, closed(8, requests=200), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    ("where", "missing"), [({"gpu": CPU}, "a GPU"), ({"gpu": None}, "the GPU"), ({"model": None}, "the model")]
)
def test_what_cannot_be_predicted_is_refused_by_name(where: dict[str, Any], missing: str) -> None:
    with pytest.raises(CannotPredict, match=missing):
        predict(launch().but(**where), POOL, closed(4))


def test_a_request_larger_than_the_pool_is_refused() -> None:
    with pytest.raises(CannotPredict, match="vLLM can serve"):
        predict(launch(), memory(2000, weights_gib=15.0), closed(2, prompt=4000))


def test_the_wait_of_users_whose_turn_was_not_simulated_is_by_littles_law() -> None:
    launch = deploy("vllm serve Qwen/Qwen3-8B", vllm_version="0.33.0", gpu="H100")
    crowd = Workload(arrivals="closed", concurrency=1_000_000, input=Lengths(mean=1000), output=Lengths(mean=100))
    found = predict(launch, estimate(launch), crowd, at_most=200)
    stay = 1000 * 1_000_000 / (found.output_tok_s.mid / 100)
    assert found.e2e_ms.mean.mid == pytest.approx(stay, rel=0.01)
    assert found.ttft_ms.mean.mid > 0.9 * stay
    assert any("Little's law" in note for note in found.assumptions)
