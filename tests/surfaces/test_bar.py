"""The bar: only on a terminal, only when a call is long, and gone afterwards."""

import io
import sys

import pytest

from vllm_triage.report.progress import current
from vllm_triage.surfaces import bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_drawn_where_no_person_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with bar.shown_progress():
        assert current() is None


def test_a_short_call_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with bar.shown_progress():
        tell = current()
        assert tell is not None
        tell(0.5)
    assert screen.getvalue() == ""


def test_a_long_call_draws_how_far_it_is_and_clears_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(bar, "monotonic", iter(range(100)).__next__)
    with bar.shown_progress():
        tell = current()
        assert tell is not None
        tell(0.5)
    assert " 50%" in screen.getvalue()
    assert screen.getvalue().endswith(" \r")
