"""The traffic a measurement describes."""

import pytest

from engine.physics import measured, seen
from vllm_triage.engine.simulation import workload_of

LENGTHS = {"input_tokens": 1000.0, "output_tokens": 200.0}


def test_a_concurrency_is_a_closed_loop() -> None:
    found = workload_of(seen(**LENGTHS, concurrency=64, request_rate=9))
    assert found is not None
    assert (found.arrivals, found.concurrency, found.requests, found.source) == ("closed", 64, None, "measured")
    assert (found.input.mean, found.output.mean) == (1000, 200)


def test_a_rate_alone_is_an_open_loop() -> None:
    found = workload_of(seen(**LENGTHS, request_rate=4.5))
    assert found is not None
    assert (found.arrivals, found.request_rate) == ("open", 4.5)


def test_a_concurrency_worked_out_from_the_rate_does_not_make_it_closed() -> None:
    by_rate = seen(**LENGTHS, request_rate=4.5).but(
        concurrency=measured(12, "vllm bench serve: request rate x time in system (no concurrency limit was set)")
    )
    found = workload_of(by_rate)
    assert found is not None
    assert found.arrivals == "open"


def test_a_benchmark_that_sent_everything_at_once_is_a_crowd() -> None:
    at_once = seen(**LENGTHS).but(
        concurrency=measured(500, "vllm bench serve: num_prompts, all sent at once (request_rate inf)")
    )
    found = workload_of(at_once)
    assert found is not None
    assert (found.arrivals, found.requests) == ("at_once", 500)


@pytest.mark.parametrize(("sent", "requests"), [(320, 320), (64_000, None)])
def test_a_short_benchmark_is_replayed_with_its_beginning_and_end(sent: float, requests: int | None) -> None:
    run = seen(**LENGTHS).but(
        concurrency=measured(64, "vllm bench serve: max_concurrency"),
        requests=measured(sent, "vllm bench serve: completed"),
    )
    found = workload_of(run)
    assert found is not None
    assert found.requests == requests


def test_gauges_stand_for_a_concurrency_that_was_not_given() -> None:
    found = workload_of(seen(**LENGTHS, running=30, waiting=4))
    assert found is not None
    assert (found.arrivals, found.concurrency) == ("closed", 34)


def test_lengths_a_server_averaged_vary() -> None:
    scrape = seen(concurrency=8).but(
        input_tokens=measured(900, "metrics: vllm:request_prompt_tokens"),
        output_tokens=measured(90, "metrics: vllm:request_generation_tokens"),
    )
    found = workload_of(scrape)
    assert found is not None
    assert found.input.shape == found.output.shape == "lognormal"


def test_a_hit_rate_is_a_shared_prefix() -> None:
    found = workload_of(seen(**LENGTHS, concurrency=8, prefix_hit_rate=0.4))
    assert found is not None
    assert found.shared_prefix_tokens == 400


def test_without_lengths_or_load_there_is_no_traffic() -> None:
    assert workload_of(seen(concurrency=8, input_tokens=100)) is None
    assert workload_of(seen(**LENGTHS)) is None


def test_what_averages_and_a_hit_rate_are_taken_to_say_is_told() -> None:
    served = seen(**LENGTHS, concurrency=8).but(
        input_tokens=measured(1000, "metrics"), output_tokens=measured(200, "metrics"), prefix_hit_rate=measured(0.4, "metrics")
    )
    found = workload_of(served)
    assert found is not None
    assert "lognormal" in found.notes[0]
    assert "one prefix of 400 tokens" in found.notes[1]


def test_a_benchmark_without_hits_leaves_nothing_to_be_told() -> None:
    found = workload_of(seen(**LENGTHS, concurrency=8))
    assert found is not None
    assert found.notes == ()
