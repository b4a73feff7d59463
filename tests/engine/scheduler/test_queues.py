"""Who is admitted next."""

from vllm_triage.engine.scheduler import Request, Work
from vllm_triage.engine.scheduler.queues import waiting_queue


def request(number: int, priority: int = 0) -> Request:
    return Request(number, Work(1, 1, priority), 1, (), 0, 0)


def test_first_come_first_served_puts_the_preempted_in_front() -> None:
    queue = waiting_queue("fcfs")
    first, second, preempted = request(1), request(2), request(0)
    assert queue.add(first)
    assert not queue.add(second)
    queue.put_back(preempted)
    assert queue.first() is preempted
    assert [queue.take_first() for _ in range(3)] == [preempted, first, second]
    assert not queue


def test_lower_priority_values_go_first_and_equals_by_arrival() -> None:
    queue = waiting_queue("priority")
    late, early, urgent = request(2, 5), request(1, 5), request(3, 1)
    assert queue.add(late)
    assert queue.add(early)
    assert queue.add(urgent)
    queue.remove(early)
    queue.put_back(early)
    assert [queue.take_first() for _ in range(len(queue))] == [urgent, early, late]


def test_any_request_can_be_taken_out() -> None:
    queue = waiting_queue("fcfs")
    one, two = request(1), request(2)
    queue.add(one)
    queue.add(two)
    queue.remove(one)
    assert [queue.take_first() for _ in range(len(queue))] == [two]
