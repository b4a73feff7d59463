"""A bar on the terminal while a call is long: on standard error, and only where a person sees it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from ..report.progress import watched

__all__ = ["shown_progress"]

WIDTH = 30
PATIENCE_S = 0.5
"""Nothing is drawn before this: most calls are done by then."""

EVERY_S = 0.1


@contextmanager
def shown_progress() -> Iterator[None]:
    """Draw the progress of the call within; nothing where standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    begun, drawn = monotonic(), 0.0

    def draw(share: float) -> None:
        nonlocal drawn
        now = monotonic()
        if now - begun > PATIENCE_S and now - drawn > EVERY_S:
            drawn = now
            done = round(WIDTH * share)
            sys.stderr.write(f"\r[{'#' * done}{'.' * (WIDTH - done)}] {share:4.0%}")
            sys.stderr.flush()

    try:
        with watched(draw):
            yield
    finally:
        if drawn:
            sys.stderr.write("\r" + " " * (WIDTH + 8) + "\r")
            sys.stderr.flush()
