"""vLLM's V1 scheduler as arithmetic: the same decisions, at a cost that grows with what is decided.

A step of vLLM walks over all running requests. Here the requests that decode are a :class:`~.cohort.Cohort` that is
counted, not walked; a step touches those that prefill, that are admitted and that end. And as long as nothing of that
kind comes up (:meth:`Scheduler.quiet`), any number of steps is one (:meth:`Scheduler.coast`).

Only when the pool runs dry or the budget does not reach everyone does the order of the running list matter:
:mod:`.contested` looks at it then.

The order of things in a step is vLLM's (0.33.0 v1/core/sched/scheduler.py): the running requests first; the waiting
ones only if nobody was preempted; then the outputs are applied: of this step, or, with async scheduling, of the one
before it (async_scheduler.py; v1/engine/core.py step_with_batch_queue).
"""

from collections.abc import Iterable
from operator import attrgetter

from .cohort import NEVER, Cohort
from .content import Contents
from .contested import ration_blocks, walk_the_list
from .limits import CannotSchedule, Limits, Work
from .pace import Pace
from .pool import BlockPool
from .prefix_cache import PrefixCache
from .queues import waiting_queue
from .request import Phase, Request
from .rules import Rules
from .step import Step

__all__ = ["Scheduler"]

_seat = attrgetter("seat")


class Scheduler:
    """The scheduler of one engine, with one full-attention KV group.

    Drive it: :meth:`add` what arrives, then :meth:`coast` as many steps as :meth:`quiet` allows, or take one
    :meth:`step`. What happened is in the :class:`~.step.Step` both return.
    """

    def __init__(self, limits: Limits, rules: Rules, *, tracing: bool = False) -> None:
        """Args:
        tracing: whether the steps tell the order of scheduling, which costs time per running request.
        """
        self.limits = limits
        self.rules = rules
        self.tracing = tracing
        self.now = 0
        """The next step."""
        self.ticks = 0
        """Ticks before it: a decoding request has computed ``base + ticks`` tokens."""
        self.stride = 1
        """Ticks in it."""
        self.running: dict[int, Request] = {}
        """By seat, which is the order of vLLM's running list."""
        self.waiting = waiting_queue(limits.policy)
        self._pace = Pace(1 + limits.accepted_tokens)
        self.cohort = Cohort(limits.block_size, self._pace)
        self.prefilling: dict[int, Request] = {}
        """By seat, running requests with known tokens left to compute."""
        blocks = limits.num_blocks - 1  # the null block is never handed out
        self.pool: BlockPool | PrefixCache = (
            PrefixCache(blocks, limits.block_size, blank_first=rules.blank_blocks_first)
            if limits.enable_prefix_caching
            else BlockPool(blocks, limits.block_size)
        )
        self._contents = Contents(limits.block_size)
        self.width = 1 + limits.draft_tokens
        """Tokens of the budget a decoding request takes."""
        self._watermark = limits.watermark_blocks
        self._reserve = rules.reserve_full_prompt and limits.reserve_full_prompt
        self._ending: list[Request] = []
        """Async scheduling: requests whose last output is known once another step has been scheduled."""
        self._stuck = False
        """Whether the first of the waiting stays there until something ends, arrives or is preempted."""
        self._arrivals = 0
        self._seats = 0
        self._step = Step(self.width)
        self._advance(0)

    # ------------------------------------------------------------------------------------------------ what drives it

    def add(self, work: Work) -> Request:
        """Let a request arrive just before the next step.

        Raises:
            CannotSchedule: vLLM would refuse it.
        """
        room = self.limits.max_model_len - work.prompt_tokens
        if work.prompt_tokens < 1 or work.output_tokens < 1 or room < 1:
            raise CannotSchedule(
                f"{work.prompt_tokens} prompt and {work.output_tokens} output tokens: both are at least 1, "
                f"and the prompt is shorter than max_model_len ({self.limits.max_model_len})"
            )
        number = self._arrivals
        self._arrivals += 1
        chain, explicit = self._contents.names(work.shared, number)
        request = Request(number, work, min(work.output_tokens, room), chain, explicit, self.now)
        if self.waiting.add(request) or self.limits.adaptive_threshold:
            self._stuck = False
        return request

    def forget(self, work: Work) -> None:
        """Hear that no request to come shares the last run of this one: that its conversation is over, for instance."""
        self._contents.forget(work.shared)

    @property
    def unfinished(self) -> bool:
        """Whether any request is running or waiting."""
        return bool(self.running or self.waiting)

    def quiet(self) -> int:
        """Steps from now on in which nothing is decided, should nothing arrive. 0: the next one has to be taken.

        The last of them may sample the last token of a request: that needs no decision.
        """
        cohort, pool, now = self.cohort, self.pool, self.now
        most = cohort.next_final() - now + 1 if cohort.size else NEVER
        if self._ending:  # the next step frees what they hold
            most = 1
        if cohort.growing:
            most = min(most, cohort.next_growth(late=self.limits.async_scheduling) - now)
        if most <= 0:
            return 0
        if not self.prefilling and cohort.size * self.width <= self.limits.max_num_batched_tokens:
            return 0 if self.waiting and not self._stuck else cohort.steps_covered(now, pool.free, most)
        plan, left = self._plan(self._threshold())
        if left < 0:
            return 0
        if left and self.waiting:
            return 0
        for request, tokens in plan:
            if request.explicit > len(request.blocks):  # each chunk may complete blocks that others can find
                return 0
            most = min(most, (request.goal - request.computed - 1) // tokens)
        return most if self._blocks(plan, most) <= pool.free else 0

    def planned(self) -> list[tuple[int, int]]:
        """The chunks of prompts in the next step as far as they run already: tokens, and tokens computed before."""
        return [(tokens, request.computed) for request, tokens in self._plan(self._threshold())[0]]

    def coast(self, steps: int) -> Step:
        """Take `steps` steps at once: at least one, and no more than :meth:`quiet` says."""
        step, cohort, pool = self._step, self.cohort, self.pool
        step.begin(self.now, steps, cohort.size, cohort.bases + cohort.size * self.ticks)
        plan = self._plan(self._threshold())[0] if self.prefilling else []
        step.running = len(self.running)
        step.waiting = len(self.waiting)
        if self.tracing:
            step.order = self.order(plan)
            step.frees = [pool.free - self._blocks(plan, count) for count in range(1, steps + 1)]
        if cohort.size or plan:
            pool.take(self._blocks(plan, steps))
        for request, tokens in plan:
            step.chunks.append((request, tokens, request.computed))
            request.computed += tokens * steps
        step.free = pool.free
        self._advance(steps)
        self._apply([])
        return step

    def step(self) -> Step:
        """Take one step.

        Raises:
            CannotSchedule: nothing runs and the first request waiting does not fit into an empty pool.
        """
        step, cohort = self._step, self.cohort
        step.begin(self.now, 1, cohort.size, cohort.bases + cohort.size * self.ticks)
        threshold = self._threshold()
        plan, left = self._plan(threshold)
        blocks = self._blocks(plan, 1)
        if left >= 0 and blocks <= self.pool.free:
            self._schedule(plan, blocks)
        elif left >= 0 and self.limits.policy == "fcfs":
            ration_blocks(self, step, plan)
        else:
            left = walk_the_list(self, step, threshold)
        if self.waiting and not step.preempted:
            self._admit(left, threshold)
            if not self.running:
                raise CannotSchedule(f"request {self.waiting.first().number} does not fit into the empty KV pool")
        step.running = len(self.running)
        step.waiting = len(self.waiting)
        step.free = self.pool.free
        if self.tracing:
            step.frees = [step.free]
        # what a step of decodes alone did not admit, none of the next will
        self._stuck = not step.chunks and not step.preempted
        self._advance(1)
        self._apply(self._complete() if step.chunks else [])
        return step

    def _advance(self, steps: int) -> None:
        self.now += steps
        if self._pace.even:
            self.ticks = self.now
        else:
            self.ticks = self._pace.ticks(self.now)
            self.stride = self._pace.ticks(self.now + 1) - self.ticks

    # --------------------------------------------------------------------------------------------- one step's phases

    def _threshold(self) -> int:
        """Most prompt tokens one request may take in this step; 0 is no limit."""
        limits = self.limits
        threshold = limits.long_prefill_token_threshold
        if threshold and self.rules.spare_the_only_request:
            requests = len(self.running) + len(self.waiting)
            if requests <= 1:
                return 0
            if limits.adaptive_threshold:
                return max(threshold, limits.max_num_batched_tokens // requests)
        return threshold

    def _plan(self, threshold: int) -> tuple[list[tuple[Request, int]], int]:
        """Tokens for each prefill if all running requests get their due, whatever the order, and the budget left.

        The budget is negative when it does not reach everyone.
        """
        left = self.limits.max_num_batched_tokens - self.cohort.size * self.width
        plan: list[tuple[Request, int]] = []
        for request in self.prefilling.values():
            tokens = request.goal - request.computed
            if 0 < threshold < tokens:
                tokens = threshold
            if tokens > left:
                if not left or request.seat != next(reversed(self.running)):
                    return plan, -1
                tokens = left  # nobody is behind it
            left -= tokens
            plan.append((request, tokens))
        return plan, left

    def _blocks(self, plan: list[tuple[Request, int]], steps: int) -> int:
        """Blocks that `steps` steps of that plan, and the decoding requests, take."""
        ticks = self.stride if steps == 1 else self._pace.ticks(self.now + steps) - self.ticks
        blocks = self.cohort.starts(self.ticks, ticks)
        for request, tokens in plan:
            blocks += self.blocks_for(request.computed, tokens * steps)
        return blocks

    def blocks_for(self, computed: int, tokens: int) -> int:
        """Blocks that `tokens` more tokens take after `computed`."""
        size = self.limits.block_size
        return -(-(computed + tokens) // size) + -computed // size

    def blocks_of(self, request: Request, tokens: int) -> int:
        """Blocks a running request takes in this step, for so many tokens."""
        if request.phase is Phase.DECODE:
            return self.blocks_for(request.base + self.ticks, self.stride)
        return self.blocks_for(request.computed, tokens)

    def _schedule(self, plan: list[tuple[Request, int]], blocks: int) -> None:
        """Give every running request its due: `blocks` blocks in all."""
        step, pool = self._step, self.pool
        if self.tracing:
            step.order = self.order(plan)
        pool.take(blocks)
        if not plan and not self.cohort.growing:
            return
        for request, tokens in plan:
            step.chunks.append((request, tokens, request.computed))
            request.computed += tokens
        caching: Iterable[Request] = self.prefilling.values()
        if self.cohort.growing:
            caching = sorted((*caching, *self.cohort.growing.values()), key=lambda request: request.seat)
        for request in caching:
            pool.cache(request, self.known(request))

    def order(self, plan: list[tuple[Request, int]]) -> list[tuple[Request, int]]:
        """The running requests that compute something, in order, with their tokens."""
        chunks = dict(plan)
        return [
            (request, chunks.get(request, self.width))
            for request in self.running.values() if request.phase is not Phase.ENDING
        ]  # fmt: skip

    def known(self, request: Request) -> int:
        """Tokens of a running request that this step, now it is scheduled for it, lets others find."""
        if request.phase is Phase.DECODE:
            return request.base + self.ticks + (0 if self.limits.async_scheduling else self.stride)
        return request.computed

    def _admit(self, left: int, threshold: int) -> None:
        """Admit waiting requests in order, until one has to wait."""
        limits, pool, waiting, running = self.limits, self.pool, self.waiting, self.running
        size, seats = limits.block_size, limits.seats
        while waiting and left > 0 and len(running) < seats:
            request = waiting.first()
            hits, idle = pool.find(request)
            start = hits * size
            if request.work.loaded_tokens > start and not request.preemptions:
                start = min(request.work.loaded_tokens, request.goal - 1)
            tokens = request.goal - start
            if 0 < threshold < tokens:
                tokens = threshold
            if tokens > left:
                if not limits.enable_chunked_prefill:
                    return
                tokens = left
            computed = start + tokens
            blocks = -(-computed // size) - hits
            must_fit = -(-request.goal // size) - hits if self._reserve else blocks
            if must_fit + idle + (self._watermark if running else 0) > pool.free:
                return
            waiting.take_first()
            pool.adopt(request)
            pool.take(blocks)
            request.computed = computed
            request.phase = Phase.PREFILL
            request.seat = self._seats
            self._seats += 1
            running[request.seat] = self.prefilling[request.seat] = request
            pool.cache(request, computed)
            left -= tokens
            self._step.chunks.append((request, tokens, computed - tokens))
            if self.tracing:
                self._step.order.append((request, tokens))

    def _complete(self) -> list[Request]:
        """Let the prefills this step completed decode; those of them that have sampled their last token."""
        ending: list[Request] = []
        for request, _, _ in self._step.chunks:
            if request.computed < request.goal:
                continue
            del self.prefilling[request.seat]
            if request.first_token < 0:
                request.first_token = self.now - 1
                self._step.first.append(request)
            if request.goal == request.total:
                request.ready = request.goal
                request.base = request.goal - self.ticks
                ending.append(request)
            else:
                self.cohort.join(request, self.now)
        return ending

    def _apply(self, ending: list[Request]) -> None:
        """Apply the outputs that have become known: take out the requests that have ended."""
        last = self.now - 1
        if self.cohort.next_final() == last:
            ending += self.cohort.take_final(last)
            if len(ending) > 1:
                ending.sort(key=_seat)
        for request in ending:
            request.finished = last
            request.phase = Phase.ENDING
        self._step.ended = ending
        seen = ending
        if self.limits.async_scheduling:
            seen, self._ending = self._ending, ending
        if seen or ending:
            self._stuck = False
        for request in seen:
            if request.phase is Phase.WAITING:  # preempted in the very step that was scheduled before its end was seen
                self.waiting.remove(request)
            else:
                del self.running[request.seat]
                self.pool.release(request, request.computed, request.total, keep=False)
            request.phase = Phase.DONE
