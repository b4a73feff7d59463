"""Driving the scheduler: arrivals by step, one request at a time."""

import tracemalloc
from collections.abc import Iterator

from engine.scheduler.test_scheduler import limits, steps
from vllm_triage.engine.scheduler import Request, Scheduler, Step, Work, replay, rules_for


def test_a_request_does_not_arrive_before_the_one_listed_ahead_of_it() -> None:
    assert steps("0.33.0", limits(), (5, Work(4, 1)), (0, Work(4, 1)))[5] == [(0, 4), (1, 4)]


def test_requests_come_out_when_they_end() -> None:
    ended = list(replay(Scheduler(limits(), rules_for("0.33.0")), [(0, Work(4, 9)), (0, Work(4, 2))]))
    assert [request.number for request in ended] == [1, 0]
    assert [request.finished - request.first_token for request in ended] == [1, 8]


def test_a_thousand_quiet_steps_are_one() -> None:
    seen: list[tuple[int, int, int, int]] = []

    def watch(step: Step) -> None:
        seen.append((step.number, step.count, step.decodes, step.context))

    list(replay(Scheduler(limits(max_model_len=5000), rules_for("0.33.0")), [(0, Work(20, 1001))], watch=watch))
    assert seen == [(0, 1, 0, 0), (1, 1000, 1, 20)]


def test_a_long_prompt_in_equal_chunks_is_two_stretches() -> None:
    seen: list[tuple[int, int]] = []
    scheduler = Scheduler(limits(max_model_len=50_000, num_blocks=10_000), rules_for("0.33.0"))
    list(replay(scheduler, [(0, Work(32_000, 1))], watch=lambda step: seen.append((step.count, step.tokens))))
    assert seen == [(1, 32), (998, 32), (1, 32)]


def test_memory_does_not_grow_with_tokens_nor_with_requests_that_have_ended() -> None:
    def peak(requests: int, output: int) -> int:
        def arrivals() -> Iterator[tuple[int, Work]]:
            for number in range(requests):
                yield number * 4, Work(64, output)

        scheduler = Scheduler(limits(max_num_seqs=16, max_model_len=10_000, num_blocks=200_000), rules_for("0.33.0"))
        tracemalloc.start()
        for request in replay(scheduler, arrivals()):
            assert isinstance(request, Request)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    small = peak(50, 20)
    assert peak(500, 20) < small + 20_000
    assert peak(16, 9000) < small + 20_000
