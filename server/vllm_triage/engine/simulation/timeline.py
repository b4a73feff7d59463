"""The state over time in a bounded number of moments: when there are too many, neighbours are joined."""

from dataclasses import dataclass

__all__ = ["MOST_MOMENTS", "Timeline"]

MOST_MOMENTS = 120


@dataclass(slots=True)
class _Sums:
    """Integrals over one interval of time, and the tokens produced in it."""

    ms: float = 0.0
    running: float = 0.0
    waiting: float = 0.0
    usage: float = 0.0
    tokens: float = 0.0


class Timeline:
    """Intervals of equal width from time 0 on, ms."""

    __slots__ = ("_sums", "_width")

    def __init__(self, width: float = 1.0) -> None:
        self._width = width
        self._sums: list[_Sums] = []

    def add(self, start: float, end: float, running: float, waiting: float, usage: float, tokens: float) -> None:
        """Between `start` and `end` this was the state, and so many tokens were produced."""
        while end >= self._width * MOST_MOMENTS:
            self._join()
        width, sums = self._width, self._sums
        first, last = int(start / width), int(end / width)
        while len(sums) <= last:
            sums.append(_Sums())
        if first == last:
            self._count(sums[first], end - start, running, waiting, usage, tokens)
            return
        rate = tokens / (end - start)
        for place in range(first, last + 1):
            ms = min(end, (place + 1) * width) - max(start, place * width)
            self._count(sums[place], ms, running, waiting, usage, rate * ms)

    @staticmethod
    def _count(sums: _Sums, ms: float, running: float, waiting: float, usage: float, tokens: float) -> None:
        sums.ms += ms
        sums.running += running * ms
        sums.waiting += waiting * ms
        sums.usage += usage * ms
        sums.tokens += tokens

    def _join(self) -> None:
        self._width *= 2
        old = self._sums
        self._sums = [
            _joined(old[place], old[place + 1] if place + 1 < len(old) else _Sums()) for place in range(0, len(old), 2)
        ]

    def moments(self) -> list[tuple[float, float, float, float, float]]:
        """``(middle of the interval in s, running, waiting, KV usage, output tokens a second)``."""
        return [
            (
                (place + 0.5) * self._width / 1000, sums.running / sums.ms, sums.waiting / sums.ms, sums.usage / sums.ms,
                1000 * sums.tokens / sums.ms,
            )
            for place, sums in enumerate(self._sums) if sums.ms > 0
        ]  # fmt: skip


def _joined(one: _Sums, two: _Sums) -> _Sums:
    return _Sums(
        one.ms + two.ms,
        one.running + two.running,
        one.waiting + two.waiting,
        one.usage + two.usage,
        one.tokens + two.tokens,
    )
