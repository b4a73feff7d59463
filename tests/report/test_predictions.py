"""Predictions in few figures and few words."""

import pytest

from vllm_triage.domain import Interval, Lengths, Workload
from vllm_triage.report.predictions import interval_json, ms_words, workload_words


@pytest.mark.parametrize(("ms", "words"), [(9123.0, "9.12 s"), (320.4, "320 ms"), (8.4, "8.4 ms")])
def test_times_read_as_a_person_would_say_them(ms: float, words: str) -> None:
    assert ms_words(ms) == words


def test_intervals_carry_three_digits() -> None:
    assert interval_json(Interval(low=1.2345, mid=123.456, high=98765.4)) == [1.23, 123, 98765]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"arrivals": "closed", "concurrency": 64}, "64 users at once, 1,000 tokens in, 200 out"),
        ({"arrivals": "open", "request_rate": 4.0, "turns": 3}, "4 requests/s, 1,000 tokens in, 200 out, 3 turns"),
        (
            {"arrivals": "at_once", "requests": 500, "shared_prefix_tokens": 900},
            "500 requests sent at once, 1,000 tokens in, 900 shared, 200 out",
        ),
    ],
)  # fmt: skip
def test_traffic_reads_as_a_person_would_say_it(given: dict[str, object], words: str) -> None:
    workload = Workload(**given, input=Lengths(mean=1000.0), output=Lengths(mean=200.0))  # type: ignore[arg-type]
    assert workload_words(workload) == words
