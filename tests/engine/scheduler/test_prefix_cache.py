"""The prefix cache, held against a pool of single blocks that works as vLLM's does."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.engine.scheduler import Phase, Request, Run, Work
from vllm_triage.engine.scheduler.content import Contents
from vllm_triage.engine.scheduler.prefix_cache import PrefixCache

BLOCK, BLOCKS = 4, 12


class SingleBlocks:
    """Every block by itself: a queue of the free ones, and for each name the blocks that have it, oldest first."""

    def __init__(self, *, blank_first: bool) -> None:
        self.blank_first = blank_first
        self.queue = list(range(BLOCKS))
        self.users = [0] * BLOCKS
        self.name: list[int | None] = [None] * BLOCKS
        self.named: dict[int, list[int]] = {}
        self.held: dict[Request, list[int]] = {}

    @staticmethod
    def names(request: Request, count: int) -> list[int]:
        return [next(base for end, base in request.chain if place < end) + place for place in range(count)]

    def find(self, request: Request) -> list[int]:
        found = []
        for name in self.names(request, (request.goal - 1) // BLOCK):
            if not self.named.get(name):
                break
            found.append(self.named[name][0])
        return found

    def admit(self, request: Request) -> None:
        hits = self.find(request)
        for block in hits:
            if not self.users[block]:
                self.queue.remove(block)
            self.users[block] += 1
        self.held[request] = hits

    def grow(self, request: Request, tokens: int) -> None:
        held = self.held[request]
        while len(held) * BLOCK < tokens:
            block = self.queue.pop(0)
            name = self.name[block]
            if name is not None:
                self.named[name].remove(block)
                self.name[block] = None
            self.users[block] = 1
            held.append(block)
        for block, name in zip(held, self.names(request, tokens // BLOCK), strict=False):
            if self.name[block] is None:
                self.name[block] = name
                self.named.setdefault(name, []).append(block)

    def release(self, request: Request) -> None:
        first, last = [], []
        for block in reversed(self.held.pop(request)):
            self.users[block] -= 1
            if not self.users[block]:
                (first if self.blank_first and self.name[block] is None else last).append(block)
        self.queue = [*reversed(first), *self.queue, *last]


def request_of(contents: Contents, number: int, lengths: tuple[int, int, int]) -> Request:
    """A request whose first tokens, and maybe its output, are those of a group."""
    prompt, group, shared = lengths
    runs = (Run(group, min(shared, prompt)),) if min(shared, prompt) else ()
    if runs and shared >= prompt:
        runs = (*runs, Run(99, 1 << 40))  # alike to the end
    chain, explicit = contents.names(runs, number)
    return Request(number, Work(prompt, 5, shared=runs), 5, chain, explicit, 0)


def play(moves: list[tuple[str, int]], requests: list[Request], ours: PrefixCache, theirs: SingleBlocks) -> None:
    """Admit, advance, preempt and end requests in both pools."""
    tokens: dict[Request, int] = {}
    for move, which in moves:
        request = requests[which % len(requests)]
        if move == "admit" and request.phase is Phase.WAITING:
            hits, idle = ours.find(request)
            found = theirs.find(request)
            assert hits == len(found)
            assert idle == sum(not theirs.users[block] for block in found)
            blocks = -(-request.goal // BLOCK) - hits
            if blocks + idle > ours.free:
                continue
            ours.adopt(request)
            ours.take(blocks)
            ours.cache(request, request.goal)
            theirs.admit(request)
            theirs.grow(request, request.goal)
            request.phase, tokens[request] = Phase.DECODE, request.goal
        elif move == "advance" and request in tokens and (tokens[request] % BLOCK or ours.free):
            ours.take(int(tokens[request] % BLOCK == 0))
            tokens[request] += 1
            ours.cache(request, tokens[request])
            theirs.grow(request, tokens[request])
        elif move in ("end", "preempt") and request in tokens:
            held = tokens.pop(request)
            ours.release(request, held, held, keep=move == "preempt")
            theirs.release(request)
            request.phase = Phase.WAITING if move == "preempt" else Phase.DONE
            request.goal = held + 1
        assert ours.free == len(theirs.queue)


@settings(max_examples=150, deadline=None)
@given(
    lengths=st.lists(
        st.tuples(st.integers(1, 20), st.integers(0, 1), st.sampled_from([0, 3, 4, 8, 20])), min_size=1, max_size=5
    ),
    moves=st.lists(
        st.tuples(st.sampled_from(["admit", "advance", "advance", "advance", "end", "preempt"]), st.integers(0, 4)),
        max_size=120,
    ),
    blank_first=st.booleans(),
)
def test_it_finds_and_forgets_what_a_pool_of_single_blocks_does(
    lengths: list[tuple[int, int, int]], moves: list[tuple[str, int]], blank_first: bool
) -> None:
    contents = Contents(BLOCK)
    requests = [request_of(contents, number, each) for number, each in enumerate(lengths)]
    pool, ended = PrefixCache(BLOCKS, BLOCK, blank_first=blank_first), [("end", number) for number in range(len(requests))]
    play([*moves, *ended], requests, pool, SingleBlocks(blank_first=blank_first))
    assert pool.free == BLOCKS  # found or not, no block is lost or given back twice


@pytest.mark.parametrize("blank_first", [False, True])
def test_what_ended_takes_no_memory_per_block(blank_first: bool) -> None:
    contents, pool = Contents(16), PrefixCache(1_000_000, 16, blank_first=blank_first)
    for number in range(100):
        chain, explicit = contents.names((), number)
        request = Request(number, Work(100_000, 1), 1, chain, explicit, 0)
        pool.take(6250)
        pool.release(request, 100_000, 100_000, keep=False)
    state: dict[str, Any] = {name: getattr(pool, name) for name in ("_order", "_named", "_twins")}
    assert [len(part) for part in state.values()] == [1, 0, 0]
    assert pool.free == 1_000_000
