"""How far a long call is, told to whoever watches it; and how it is stopped.

A surface that can show progress runs the call within :func:`watched`. The callback gets 0 to 1 now and then; whatever it
raises ends the work, which is how a cancelled request stops.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["Progress", "current", "part", "watched"]

Progress = Callable[[float], None]

_CURRENT: ContextVar[Progress | None] = ContextVar("progress", default=None)


@contextmanager
def watched(callback: Progress) -> Iterator[None]:
    """Calls within tell `callback` how far they are."""
    token = _CURRENT.set(callback)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current() -> Progress | None:
    """The callback of whoever watches, or None."""
    return _CURRENT.get()


def part(number: int, of: int) -> Progress | None:
    """The callback for the part `number` (from 0) of `of` equal ones."""
    whole = current()
    if whole is None:
        return None
    return lambda share: whole((number + min(1.0, max(0.0, share))) / max(1, of))
