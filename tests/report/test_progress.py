"""Progress of parts adds up to that of the whole."""

from vllm_triage.report.progress import current, part, watched


def test_nobody_watching_costs_nothing() -> None:
    assert current() is None
    assert part(0, 2) is None


def test_a_part_tells_its_share_of_the_whole() -> None:
    told: list[float] = []
    with watched(told.append):
        for number in range(4):
            tell = part(number, 4)
            assert tell is not None
            tell(0.5)
            tell(7.0)
    assert told == [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]
    assert current() is None
