import pytest

from engine.physics import deployment, memory
from verdicts.bottleneck.hearing import hear, load

SEATS = deployment(max_num_seqs=64)
AT_CAP = {"ttft_ms_mean": 9000.0, "tpot_ms_mean": 15.0, "output_tok_s": 4000.0, "concurrency": 300.0}  # R = 60


def test_running_at_max_num_seqs_with_a_roomy_pool_is_a_seat_cap() -> None:
    verdict = hear(load(**AT_CAP), SEATS)
    assert (verdict.bottleneck, verdict.sub_bound) == ("queue_stall", "seats")


def test_the_gauge_at_the_cap_makes_it_sure() -> None:
    verdict = hear(load(**AT_CAP, running=64, waiting=200, kv_usage=0.2, input_tokens=400.0), SEATS)
    assert (verdict.bottleneck, verdict.sub_bound) == ("queue_stall", "seats")
    assert verdict.confidence > 0.9


def test_a_seat_cap_on_a_server_busy_with_prompts_is_not_sure() -> None:
    verdict = hear(load(**{**AT_CAP, "tpot_ms_mean": 15.0}, running=64, waiting=200, kv_usage=0.2, input_tokens=1000.0), SEATS)
    assert (verdict.bottleneck, verdict.sub_bound) == ("queue_stall", "seats")
    assert verdict.confidence < 0.8


def test_a_queue_with_free_seats_and_blocks_waits_for_the_token_budget() -> None:
    verdict = hear(load(**AT_CAP, running=20, waiting=60, kv_usage=0.3), SEATS)
    assert (verdict.bottleneck, verdict.sub_bound) == ("queue_stall", "budget")


def test_without_a_launch_the_queue_is_named_and_its_limit_is_not() -> None:
    verdict = hear(
        load(**AT_CAP, running=20, waiting=60, kv_usage=0.3),
        deployment(max_num_seqs=None),
        memory(400_000, weights_gib=15.0),
    )
    assert (verdict.bottleneck, verdict.sub_bound) == ("queue_stall", None)


def test_replicas_are_never_the_words_for_a_seat_cap() -> None:
    verdict = hear(load(**AT_CAP, running=64, waiting=200, kv_usage=0.2), SEATS)
    assert "replica" not in str(verdict.to_json())


def test_a_full_pool_is_what_the_queue_waits_for() -> None:
    verdict = hear(load(**AT_CAP, running=40, waiting=200, kv_usage=0.99), SEATS)
    assert verdict.bottleneck == "kv_starvation"


@pytest.mark.parametrize("waiting", [0, 1])
def test_one_request_on_its_way_in_is_no_queue(waiting: int) -> None:
    verdict = hear(load(running=40, waiting=waiting, kv_usage=0.2, output_tok_s=3333.0, concurrency=40), SEATS)
    assert verdict.status == "healthy"


def test_a_queue_that_costs_nobody_time_is_healthy() -> None:
    verdict = hear(load(running=6, waiting=4, kv_usage=0.1, ttft_ms_mean=200.0))
    assert verdict.status == "healthy"


def test_pool_and_seats_too_near_each_other_are_not_told_apart_by_arithmetic() -> None:
    verdict = hear(load(**AT_CAP), SEATS, memory(66 * 950, weights_gib=61.0))
    assert verdict.status == "ambiguous"


def test_data_parallel_replicas_have_their_seats_each() -> None:
    verdict = hear(load(**{**AT_CAP, "output_tok_s": 8000.0}), deployment(max_num_seqs=64, data_parallel_size=2))
    assert verdict.derived["S_seq"] == 128
    assert verdict.bottleneck == "queue_stall"


def test_a_few_clients_cannot_queue_for_a_thousand_seats() -> None:
    verdict = hear(load(ttft_ms_mean=20_000.0, tpot_ms_mean=8.0, output_tok_s=593.0, concurrency=64.0))
    assert verdict.status == "ambiguous"
    assert verdict.measure_next.startswith("WAITING queue depth")


def test_most_requests_without_a_token_under_a_load_that_could_fill_the_seats_is_an_admission_stall() -> None:
    verdict = hear(load(ttft_ms_mean=20_000.0, tpot_ms_mean=8.0, output_tok_s=2778.0, concurrency=300.0))
    assert (verdict.bottleneck, verdict.sub_bound) == ("queue_stall", None)
    assert verdict.confidence < 0.8
