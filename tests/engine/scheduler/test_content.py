"""Blocks have the same name exactly when everything up to their end is the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.engine.scheduler import Run
from vllm_triage.engine.scheduler.content import Chain, Contents

BLOCK = 4


def names(chain: Chain, count: int) -> list[int]:
    """The names of the first blocks."""
    return [next(base for end, base in chain if place < end) + place for place in range(count)]


RUNS = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 7)), max_size=4).map(
    lambda pairs: tuple(
        Run(label, sum(length for _, length in pairs[: place + 1]))
        for place, (label, _) in enumerate(pairs)
    )
)  # fmt: skip


def canonical(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Neighbouring runs of one label as one."""
    merged: list[Run] = []
    for run in runs:
        if merged and merged[-1].label == run.label:
            merged.pop()
        merged.append(run)
    return tuple(merged)


def tokens(runs: tuple[Run, ...], own: int, count: int) -> list[object]:
    """Token by token; past the runs each is the request's own."""
    return [
        next((run.label for run in runs if place < run.end), ("own", own)) for place in range(count)
    ]


@settings(max_examples=100)
@given(one=RUNS, other=RUNS)
def test_names_are_equal_exactly_where_the_tokens_before_are(one: tuple[Run, ...], other: tuple[Run, ...]) -> None:
    contents = Contents(BLOCK)
    one, other = canonical(one), canonical(other)
    first, second = (names(contents.names(runs, number)[0], 8) for number, runs in enumerate((one, other)))
    left, right = tokens(one, 0, 32), tokens(other, 1, 32)
    for place in range(8):
        end = (place + 1) * BLOCK
        assert (first[place] == second[place]) == (left[:end] == right[:end])


def test_only_the_blocks_that_end_in_the_runs_can_be_shared() -> None:
    assert Contents(BLOCK).names((Run(1, 11),), 0)[1] == 2
    assert Contents(BLOCK).names((), 0)[1] == 0
