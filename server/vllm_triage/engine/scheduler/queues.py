"""The waiting queue, by policy."""

from collections import deque
from heapq import heapify, heappop, heappush

from .limits import Policy
from .request import Request

__all__ = ["ArrivalQueue", "PriorityQueue", "WaitingQueue", "waiting_queue"]


class ArrivalQueue(deque[Request]):
    """First come, first served; a preempted request goes back to the front."""

    __slots__ = ()

    put_back = deque.appendleft
    """Queue a preempted request."""
    take_first = deque.popleft
    """Take the next to be admitted out of the queue."""

    def add(self, request: Request) -> bool:
        """Queue an arrival. True when it is now first."""
        self.append(request)
        return len(self) == 1

    def first(self) -> Request:
        """The next to be admitted."""
        return self[0]


class PriorityQueue:
    """Lowest priority value first, then arrival; a preempted request takes its old rank."""

    __slots__ = ("_heap",)

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Request]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, request: Request) -> bool:
        """Queue an arrival. True when it is now first."""
        self.put_back(request)
        return self._heap[0][2] is request

    def put_back(self, request: Request) -> None:
        """Queue a preempted request."""
        heappush(self._heap, (request.priority, request.number, request))

    def first(self) -> Request:
        """The next to be admitted."""
        return self._heap[0][2]

    def take_first(self) -> Request:
        """Take the next to be admitted out of the queue."""
        return heappop(self._heap)[2]

    def remove(self, request: Request) -> None:
        """Take any request out of the queue."""
        self._heap.remove((request.priority, request.number, request))
        heapify(self._heap)


WaitingQueue = ArrivalQueue | PriorityQueue


def waiting_queue(policy: Policy) -> WaitingQueue:
    """An empty queue of that policy."""
    return PriorityQueue() if policy == "priority" else ArrivalQueue()
