"""Lockstep arithmetic, held against counting member by member."""

from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.engine.scheduler import Request, Work
from vllm_triage.engine.scheduler.cohort import NEVER, Cohort
from vllm_triage.engine.scheduler.content import Contents
from vllm_triage.engine.scheduler.pace import Pace

BLOCK = 4
PACES = st.sampled_from([1.0, 1.5, 2.4, 3.0])
MEMBERS = st.lists(st.tuples(st.integers(1, 40), st.integers(2, 30)), max_size=8)


def member(seat: int, prompt: int, output: int) -> Request:
    """A request whose prompt is computed."""
    chain, explicit = Contents(BLOCK).names((), seat)
    request = Request(seat, Work(prompt, output), output, chain, explicit, 0)
    request.seat = seat
    return request


def cohort_of(members: list[tuple[int, int]], step: int, pace: float = 1.0) -> tuple[Cohort, list[Request]]:
    """A cohort that all of them join at `step`."""
    cohort = Cohort(BLOCK, Pace(pace))
    requests = [member(seat, *lengths) for seat, lengths in enumerate(members)]
    for request in requests:
        cohort.join(request, step)
    return cohort, requests


def needed(requests: list[Request], first: int, ticks: int) -> int:
    """Blocks needed in those ticks, counted tick by tick."""
    return sum((request.base + tick) % BLOCK == 0 for request in requests for tick in range(first, first + ticks))


@settings(max_examples=60)
@given(members=MEMBERS, first=st.integers(0, 50), ticks=st.integers(0, 40))
def test_blocks_needed_over_many_ticks_are_those_of_the_single_ticks(
    members: list[tuple[int, int]], first: int, ticks: int
) -> None:
    cohort, requests = cohort_of(members, 3)
    assert cohort.starts(first, ticks) == needed(requests, first, ticks)
    if ticks < BLOCK:
        assert len(cohort.starting(first, ticks)) == cohort.starts(first, ticks)


@settings(max_examples=60)
@given(members=MEMBERS, step=st.integers(0, 50), most=st.integers(0, 40), blocks=st.integers(0, 30), pace=PACES)
def test_free_blocks_cover_the_steps_whose_ticks_they_cover(
    members: list[tuple[int, int]], step: int, most: int, blocks: int, pace: float
) -> None:
    cohort, requests = cohort_of(members, 3, pace)
    first = cohort.pace.ticks(step)

    def after(steps: int) -> int:
        return needed(requests, first, cohort.pace.ticks(step + steps) - first)

    covered = cohort.steps_covered(step, blocks, most)
    assert after(covered) <= blocks
    assert covered == most or after(covered + 1) > blocks


@settings(max_examples=60)
@given(members=MEMBERS, held=st.sets(st.integers(0, 7)), gone=st.sets(st.integers(0, 7)))
def test_members_end_in_the_step_that_samples_their_last_token(
    members: list[tuple[int, int]], held: set[int], gone: set[int]
) -> None:
    cohort, requests = cohort_of(members, 10)
    for request in requests:
        if request.seat in held:
            cohort.hold_back(request, 1)
        if request.seat in gone:
            cohort.leave(request)
    expected = sorted(
        (10 + request.output - 2 + (request.seat in held), request.seat)
        for request in requests if request.seat not in gone
    )  # fmt: skip
    ended = []
    while (final := cohort.next_final()) != NEVER:
        ended += [(final, request.seat) for request in cohort.take_final(final)]
    assert ended == expected
    assert cohort.size == cohort.bases == cohort.starts(0, BLOCK) == 0


@given(tokens=st.integers(2, 400), pace=PACES)
def test_a_member_ends_once_its_pace_has_brought_all_its_tokens(tokens: int, pace: float) -> None:
    cohort, (request,) = cohort_of([(9, tokens)], 7, pace)
    (ended,) = cohort.take_final(request.final)
    assert ended.total <= ended.computed < ended.total + pace
    assert cohort.next_final() == NEVER


def test_the_context_of_all_members_is_one_sum() -> None:
    cohort, _ = cohort_of([(10, 5), (20, 5)], 3)
    assert cohort.bases + cohort.size * 3 == 30
    assert cohort.bases + cohort.size * 5 == 34
