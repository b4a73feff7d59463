"""Sureness is earned on cases nobody tuned on: disturbed ones, and simulated ones whose cause is found by intervention."""

import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from verdicts.bottleneck.test_public_cases import script

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def calibration() -> ModuleType:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        return script("benchmarks/calibration.py")
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))


def test_cases_off_by_a_tenth_and_with_parts_missing_keep_their_cause(calibration: ModuleType) -> None:
    draw = random.Random(20)  # noqa: S311
    bases = [*calibration.gold(), *calibration.captures()]
    tally = calibration.measure([calibration.disturbed(case, draw) for case in bases for _ in range(8)])
    right, wrong = sum(tally.right.values()), sum(tally.wrong.values())
    assert tally.sure[0] == 0
    assert right >= 0.97 * (right + wrong)
    assert tally.silent <= 0.4 * (right + wrong + tally.silent)


def test_what_is_said_with_certainty_is_cured_by_what_it_names(calibration: ModuleType) -> None:
    cases = [calibration.Case(*told) for told in calibration.simulated(14, random.Random(3))]  # noqa: S311
    tally = calibration.measure(cases)
    wrong, sure = tally.sure
    assert sure >= 4
    assert wrong == 0
