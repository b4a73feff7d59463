"""Effects in one line."""

import pytest

from vllm_triage.verdicts.whatif import effect_words, shown_figure, try_change
from vllm_triage.verdicts.whatif.words import percent

from .cases import CALM, ground


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (9100, "ms", "9.1 s"), (320, "ms", "320 ms"), (8.42, "ms", "8.42 ms"), (1605, "tok/s", "1,605 tok/s"),
        (2_000_000, "ms", "2,000 s"),
    ],
)  # fmt: skip
def test_a_figure_has_the_unit_a_person_would_use(value: float, unit: str, words: str) -> None:
    assert shown_figure(value, unit) == words


@pytest.mark.parametrize(("ratio", "words"), [(1.08, "+8%"), (0.88, "-12%"), (1.001, "0%")])
def test_a_small_change_is_told_in_percent(ratio: float, words: str) -> None:
    assert percent(ratio) == words


def test_what_was_asked_for_is_told_first_and_each_kind_once() -> None:
    trial = try_change(ground(), {"max_num_seqs": 24})
    assert trial.prediction is not None
    words = effect_words(trial.differences, ground().prediction, trial.prediction, ("tpot_ms_mean", "ttft_ms_p99"))
    assert words.index("TPOT") < words.index("TTFT p99")
    assert words.count("TTFT") == 1


def test_no_difference_is_told_with_its_reason() -> None:
    trial = try_change(ground(CALM), {"max_num_seqs": 64})
    assert trial.words.startswith("no difference: every step stays as it is")
