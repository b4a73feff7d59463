"""Knobs of the scheduler: seats, token budget, chunking, admission."""

from dataclasses import replace

from ....domain import Exhausted, Json
from ....engine.change import upgraded
from ....facts.versions import at_least
from ..situation import Candidate, Situation, Unknown, round_seats
from .memory import fp8_kv_cache, more_utilization

__all__ = [
    "chunked_prefill_on",
    "doubled_seats",
    "fewer_seats",
    "long_prefill_cap",
    "more_budget",
    "more_seats",
    "seats_and_pool",
    "smaller_chunks",
    "watermark",
]

WATCH_QUEUE = "vllm:num_requests_waiting and vllm:request_queue_time_seconds; P99 TTFT"
LARGEST_BUDGET = 32768
"""No published run gains from a larger token budget; each doubling also doubles the stall of a full step."""
SMALLEST_BUDGET = 512


def more_seats(s: Situation) -> Candidate | Exhausted | Unknown:
    """Raises `--max-num-seqs` towards the load, no further than the KV pool holds."""
    change, seats, users = "raise --max-num-seqs", s.number("max_num_seqs"), s.concurrency
    if seats is None and users is None:
        return Unknown(change, "the load (concurrency), and the seats it has now")
    if users is None and seats is not None:
        users = 2 * seats  # how many want a seat is not known: twice as many as there are is the next step
    if seats is None or users is None:
        return _seats_for(users or 1.0)
    engines, held = max(1, s.observation.engines), s.roofline.seats_kv
    target = users * 1.1 / engines if held is None else min(users * 1.1, held) / engines
    wanted = round_seats(target)
    if wanted <= seats:
        why = "the KV pool holds no more" if held is not None and held < users * 1.1 else "it covers the load"
        return Exhausted(change=change, because=f"{seats:.0f} seats: {why}")
    between = round_seats((seats * wanted) ** 0.5)
    others = (_seats(s, seats, between, users),) if seats < between < wanted else ()
    return replace(_seats(s, seats, wanted, users), others=others)


def _seats_for(users: float) -> Candidate:
    """`--max-num-seqs` for the load, where the default of this device is not known."""
    wanted = -(-round(users * 1.1) // 8) * 8
    return Candidate(
        action=f"raise --max-num-seqs to {wanted}",
        flag="--max-num-seqs",
        old=None,
        new=wanted,
        changes={"max_num_seqs": wanted},
        why=f"{users:.0f} requests compete for the seats, whose default depends on the device and is not known here",
        expected="every request finds a seat; TTFT falls by the queue time while the KV pool holds them",
        watch=WATCH_QUEUE + "; vllm:kv_cache_usage_perc",
        risk="larger batches slow each stream; nothing is gained if the default is as high already (the startup log prints it)",
        undo="take --max-num-seqs out",
    )


def _seats(s: Situation, seats: float, wanted: int, users: float) -> Candidate:
    """`--max-num-seqs` raised to `wanted`, and the token budget with it where it would be below the seats."""
    engines = max(1, s.observation.engines)
    changes: dict[str, Json] = {"max_num_seqs": wanted}
    budget, also = s.number("max_num_batched_tokens"), ""
    if budget is not None and budget < wanted:
        changes["max_num_batched_tokens"] = wanted
        also = f" and --max-num-batched-tokens to {wanted} (it may not be below the seats)"
    return Candidate(
        action=f"raise --max-num-seqs from {seats:.0f} to {wanted}{also}",
        flag="--max-num-seqs",
        old=int(seats),
        new=wanted,
        changes=changes,
        why=f"every seat is taken while the KV pool has room: {users:.0f} requests compete for {seats * engines:.0f} seats",
        expected=f"waiting falls towards {max(0.0, users - wanted * engines):.0f}; TTFT falls by the queue time; "
        "TPOT rises with the larger batch",
        watch=WATCH_QUEUE + "; TPOT and vllm:kv_cache_usage_perc must not run away",
        risk="larger batches slow each stream; CUDA graphs and the sampler take a little more memory",
        undo=f"--max-num-seqs {seats:.0f}",
    )


def seats_and_pool(s: Situation) -> Candidate | Exhausted:
    """Raises the seats and the pool together, where the pool would be the next limit at once."""
    change, seats, users, held = "seats and pool together", s.number("max_num_seqs"), s.concurrency, s.roofline.seats_kv
    if seats is None or users is None or held is None:
        return Exhausted(change=change, because="the seats, the load or the pool are not known")
    if held >= users * 1.1:
        return Exhausted(change=change, because="the KV pool holds the load already")
    for knob in (fp8_kv_cache, more_utilization):
        wider = knob(s)
        if isinstance(wider, Candidate):
            after = s.pool_with(wider.changes)
            grown = held * after / s.pool_tokens if after and s.pool_tokens else held
            wanted = round_seats(min(users * 1.1, grown) / max(1, s.observation.engines))
            if wanted > seats:
                both = _seats(s, seats, wanted, users)
                return replace(
                    both, action=f"{wider.action}, and {both.action}", changes={**wider.changes, **both.changes},
                    why=f"{both.why}; the pool holds about {held:.0f}, so it has to grow with them", harm=wider.harm,
                    risk=f"{wider.risk}; {both.risk}", undo=f"{wider.undo}; {both.undo}",
                )  # fmt: skip
    return Exhausted(change=change, because="the pool cannot be made large enough for more seats")


def doubled_seats(s: Situation) -> Candidate | Exhausted | Unknown:
    """Twice the seats, whatever holds them back: to show what it does."""
    seats, users = s.number("max_num_seqs"), s.concurrency
    if seats is None or users is None:
        return Unknown("raise --max-num-seqs", "the seats and the load")
    return _seats(s, seats, int(seats) * 2, users)


def fewer_seats(s: Situation) -> Candidate | Exhausted | Unknown:
    """Lowers `--max-num-seqs` to what the pool holds, where preemption throws work away."""
    change, seats, held = "lower --max-num-seqs to stop preemption", s.number("max_num_seqs"), s.roofline.seats_kv
    if not s.preempting:
        return Exhausted(change=change, because="nothing is preempted")
    running = s.measured("running") or s.roofline.running
    if (held is None or held < 1) and running is not None:
        held = 0.8 * running  # what runs is more than the pool holds: that is why something is thrown out
    if held is None or held < 1:
        if seats is None or seats < 2:
            return Unknown(change, "how many requests the pool holds: lengths, and the pool the startup log prints")
        held = seats / 2
    wanted = round_seats(held / max(1, s.observation.engines))
    if seats is not None and wanted >= seats:
        return Exhausted(change=change, because=f"{seats:.0f} seats fit into the pool already")
    tighter = round_seats(0.8 * wanted)
    others = (_fewer(seats, tighter, held),) if 1 <= tighter < wanted else ()
    return replace(_fewer(seats, wanted, held), others=others)


def _fewer(seats: float | None, wanted: int, held: float) -> Candidate:
    return Candidate(
        action=f"lower --max-num-seqs from {'its default' if seats is None else f'{seats:.0f}'} to {wanted}",
        flag="--max-num-seqs",
        old=None if seats is None else int(seats),
        new=wanted,
        changes={"max_num_seqs": wanted},
        why=f"the pool holds about {held:.0f} requests of this length; more are admitted, preempted and computed again",
        expected="preemptions stop, so prompts are computed once; requests wait in the queue instead of being thrown out",
        watch="the rate of vllm:num_preemptions_total (target 0) and output tokens per second",
        risk="TTFT moves from recomputation to queueing; it does not add capacity",
        undo="take --max-num-seqs out" if seats is None else f"--max-num-seqs {seats:.0f}",
    )


def watermark(s: Situation) -> Candidate | Exhausted:
    """Keeps blocks free for running requests to grow into (0.24 and later)."""
    change = "--watermark"
    if not s.preempting or s.number("watermark"):
        return Exhausted(change=change, because="nothing is preempted" if not s.preempting else "it is set already")
    if not at_least(s.deployment.version, "0.24.0"):
        return replace(
            _watermark(0.02), action="upgrade to vLLM 0.24 or later and hold 2% of the blocks back: --watermark 0.02",
            kind="environment", flag=None, upgrade_to="0.24.0", deployment=upgraded(s.deployment, "0.24.0"),
            risk="an upgrade changes defaults: `check_compat` with upgrade_to lists them; TTFT rises with the watermark",
            undo="go back to the version there was",
        )  # fmt: skip
    return replace(_watermark(0.02), others=(_watermark(0.01), _watermark(0.05)))


def _watermark(share: float) -> Candidate:
    return Candidate(
        action=f"hold {share:.0%} of the blocks back from admission: --watermark {share:g}",
        flag="--watermark",
        old=0.0,
        new=share,
        changes={"watermark": share},
        why="requests are admitted into the last blocks and preempted as soon as the running ones grow",
        expected="fewer preemptions and a lower P99 ITL; TTFT rises (vllm-project/vllm#44594: 1,065 -> 400 preemptions, "
        "P99 ITL 41 -> 19 ms, TTFT P50 6.6 -> 11.8 s)",
        watch="the rate of vllm:num_preemptions_total and P99 ITL",
        risk="TTFT rises: admission waits for free blocks",
        undo="take --watermark out",
    )


def more_budget(s: Situation) -> Candidate | Exhausted | Unknown:
    """Raises the token budget where prompts queue for it."""
    change, budget, isl = (
        "raise --max-num-batched-tokens",
        s.number("max_num_batched_tokens"),
        s.measured("input_tokens"),
    )
    if budget is None or isl is None:
        return Unknown(change, "the mean prompt length" if isl is None else "the GPU: the token budget's default depends on it")
    wanted = int(budget) * 2
    while wanted < isl and wanted < LARGEST_BUDGET:
        wanted *= 2
    if wanted > LARGEST_BUDGET:
        return Exhausted(change=change, because=f"it is {budget:.0f} already")
    others = tuple(_budget(s, budget, value, isl) for value in (wanted * 2, wanted * 4) if value <= LARGEST_BUDGET)
    return replace(_budget(s, budget, wanted, isl), others=others)


def _budget(s: Situation, budget: float, wanted: int, isl: float) -> Candidate:
    """`--max-num-batched-tokens` raised to `wanted`."""
    chunks, then = -(-isl // budget), -(-isl // wanted)
    steps = f"{then:.0f} instead of {chunks:.0f} steps to the first token" if then < chunks else "more prompts per step"
    return Candidate(
        action=f"raise --max-num-batched-tokens from {budget:.0f} to {wanted}",
        flag="--max-num-batched-tokens",
        old=int(budget),
        new=wanted,
        changes={"max_num_batched_tokens": wanted},
        why=f"prompts of {isl:,.0f} tokens share {budget:.0f} tokens a step with each other and the running decodes",
        expected=f"{steps}; longer steps, so P99 ITL rises; {s.pool_gain({'max_num_batched_tokens': wanted})}",
        watch="P99 TTFT and P99 ITL together; the KV pool in the startup log",
        risk="each step that carries a full budget stalls every running stream for its length",
        undo=f"--max-num-batched-tokens {budget:.0f}",
    )


def smaller_chunks(s: Situation) -> Candidate | Exhausted:
    """Lowers the token budget where full steps stall the running streams."""
    change, budget = "lower --max-num-batched-tokens for shorter steps", s.number("max_num_batched_tokens")
    if budget is None:
        return _unknown_budget()
    if budget <= SMALLEST_BUDGET:
        return Exhausted(change=change, because="the budget is small already")
    values = dict.fromkeys(max(SMALLEST_BUDGET, int(budget) // share) for share in (4, 2, 8))
    first, *rest = (_chunks(s, budget, value) for value in values)
    return replace(first, others=tuple(rest))


SMALLEST_DEFAULT = 2048
"""The smallest default token budget of any device a server runs on since V1."""


def _unknown_budget() -> Candidate:
    """The budget at the smallest of its defaults, where that of this device is not known."""
    return Candidate(
        action=f"lower --max-num-batched-tokens to {SMALLEST_DEFAULT}",
        flag="--max-num-batched-tokens",
        old=None,
        new=SMALLEST_DEFAULT,
        changes={"max_num_batched_tokens": SMALLEST_DEFAULT},
        why="a step that carries a whole budget of prompt tokens stalls every running stream; its default depends on the device",
        expected="shorter steps where the default is larger (the startup log prints it); TTFT of long prompts rises",
        watch="P99 ITL against P50 ITL; P99 TTFT",
        risk="prefill throughput falls when chunks get small",
        undo="take --max-num-batched-tokens out",
    )


def _chunks(s: Situation, budget: float, wanted: int) -> Candidate:
    """`--max-num-batched-tokens` lowered to `wanted`, and the seats with it where they would exceed it."""
    seats = int(s.number("max_num_seqs") or 0)
    changes: dict[str, Json] = {"max_num_batched_tokens": wanted}
    also = ""
    if wanted < seats:
        changes["max_num_seqs"] = wanted
        also = f" and --max-num-seqs from {seats} to {wanted} (the seats may not exceed the budget)"
    step = s.roofline.chunk_step_ms
    spike = (
        f"from about {step:.0f} to {step * wanted / budget:.0f} ms"
        if step
        else f"to about {wanted / budget:.0%} of what it is"
    )
    return Candidate(
        action=f"lower --max-num-batched-tokens from {budget:.0f} to {wanted}{also}",
        flag="--max-num-batched-tokens",
        old=int(budget),
        new=wanted,
        changes=changes,
        why=f"a step that carries {budget:.0f} prompt tokens stalls every running stream for its whole length",
        expected=f"the ITL spike falls {spike}; prompts take more steps, so TTFT of long ones rises",
        watch="P99 ITL against P50 ITL; P99 TTFT",
        risk="prefill throughput falls when chunks get small",
        undo=f"--max-num-batched-tokens {budget:.0f}",
    )


def long_prefill_cap(s: Situation) -> Candidate | Exhausted:
    """Caps what one prompt may take of a step, leaving the budget for many short ones."""
    change = "--long-prefill-token-threshold"
    budget, cap, length = (
        s.number("max_num_batched_tokens"),
        s.number("long_prefill_token_threshold"),
        s.number("max_model_len"),
    )
    if cap:
        return Exhausted(change=change, because=f"it is {cap:.0f} already")
    if budget is None:
        return _cap(s, SMALLEST_DEFAULT // 2)
    if budget // 4 < SMALLEST_BUDGET or (length is not None and budget // 4 > length):
        return Exhausted(change=change, because="the budget is too small to share out")
    shares = (share for share in (4, 2, 8) if budget // share >= SMALLEST_BUDGET)
    first, *rest = (_cap(s, int(budget) // share) for share in shares)
    return replace(first, others=tuple(rest))


def _cap(s: Situation, wanted: int) -> Candidate:
    change = "--long-prefill-token-threshold"
    lone = (
        "; from 0.31 the cap is ignored while only one request runs" if at_least(s.deployment.version, "0.31.0") else ""
    )
    return Candidate(
        action=f"cap one prompt's share of a step: --long-prefill-token-threshold {wanted}",
        flag=change,
        old=0,
        new=wanted,
        changes={"long_prefill_token_threshold": wanted},
        why="one long prompt may take the whole token budget of a step",
        expected=f"steps with a single long prompt shrink to {wanted} tokens; steps filled by many prompts do not",
        watch="P99 ITL while one long prompt runs; its TTFT",
        risk=f"the long prompt itself takes more steps to its first token{lone}",
        undo=f"take {change} out",
    )


def chunked_prefill_on(s: Situation) -> Candidate | Exhausted:
    """Takes chunked prefill back on where it was switched off."""
    if s.setting("enable_chunked_prefill") is not False:
        return Exhausted(change="chunked prefill on", because="it is on")
    return Candidate(
        action="let prompts be chunked again: take --no-enable-chunked-prefill out",
        flag="--no-enable-chunked-prefill",
        old=True,
        new=None,
        changes={"enable_chunked_prefill": None},
        why="without it a prompt is prefilled whole in one step, and the head of the queue blocks what is behind it",
        expected="long prompts share steps with running decodes: P99 ITL falls, short prompts no longer wait behind long ones",
        watch="P99 ITL and WAITING queue depth",
        risk="a long prompt's own TTFT rises a little",
        undo="--no-enable-chunked-prefill",
    )
