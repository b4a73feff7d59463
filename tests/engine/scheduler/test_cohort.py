"""Lockstep arithmetic, held against counting member by member."""

from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.engine.scheduler import Request, Work
from vllm_triage.engine.scheduler.cohort import NEVER, Cohort
from vllm_triage.engine.scheduler.content import Contents

BLOCK = 4
MEMBERS = st.lists(st.tuples(st.integers(1, 40), st.integers(2, 30)), max_size=8)


def member(seat: int, prompt: int, output: int) -> Request:
    """A request whose prompt is computed."""
    chain, explicit = Contents(BLOCK).names((), seat)
    request = Request(seat, Work(prompt, output), output, chain, explicit, 0)
    request.seat = seat
    return request


def cohort_of(members: list[tuple[int, int]], step: int) -> tuple[Cohort, list[Request]]:
    """A cohort that all of them join at `step`."""
    cohort = Cohort(BLOCK)
    requests = [member(seat, *lengths) for seat, lengths in enumerate(members)]
    for request in requests:
        cohort.join(request, step)
    return cohort, requests


def needed(requests: list[Request], step: int) -> int:
    """Blocks needed in `step`, counted."""
    return sum((request.base + step) % BLOCK == 0 for request in requests)


@settings(max_examples=60)
@given(members=MEMBERS, step=st.integers(0, 50), steps=st.integers(0, 40), blocks=st.integers(0, 30))
def test_blocks_needed_over_many_steps_are_those_of_the_single_steps(
    members: list[tuple[int, int]], step: int, steps: int, blocks: int
) -> None:
    cohort, requests = cohort_of(members, step)
    assert cohort.starts(step) == needed(requests, step) == len(cohort.starting(step))
    assert cohort.starts_within(step, steps) == sum(needed(requests, step + ahead) for ahead in range(steps))
    covered = cohort.steps_covered(step, blocks, steps)
    assert cohort.starts_within(step, covered) <= blocks
    assert covered == steps or cohort.starts_within(step, covered + 1) > blocks


@settings(max_examples=60)
@given(members=MEMBERS, held=st.sets(st.integers(0, 7)), gone=st.sets(st.integers(0, 7)))
def test_members_end_in_the_step_that_samples_their_last_token(
    members: list[tuple[int, int]], held: set[int], gone: set[int]
) -> None:
    cohort, requests = cohort_of(members, 10)
    for request in requests:
        if request.seat in held:
            cohort.hold_back(request)
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
    assert cohort.size == cohort.bases == cohort.starts_within(0, BLOCK) == 0


def test_the_context_of_all_members_is_one_sum() -> None:
    cohort, _ = cohort_of([(10, 5), (20, 5)], 3)
    assert cohort.bases + cohort.size * 3 == 30
    assert cohort.bases + cohort.size * 5 == 34
