"""Servers that never were, with a cause that is known: a small scheduler, random shapes, cause by intervention.

Apart from the product's own simulator on purpose: it is the judge here. Steps are scheduled as vLLM V1 does (running
first, then waiting while seats, blocks and token budget last; the youngest is preempted when blocks run out); a step
takes a launch overhead and the larger of its bytes and its arithmetic, at efficiencies drawn for each server.
"""

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from statistics import fmean

from vllm_triage.domain import Observation
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate
from vllm_triage.engine.roofline import roofline
from vllm_triage.readers.evidence import read_evidence

__all__ = ["Server", "cause_of", "run", "simulated"]

LAUNCHES = (
    ("vllm serve Qwen/Qwen3-8B", "1x H100 SXM", 989.0, False),
    ("vllm serve Qwen/Qwen3-8B", "1x A100 SXM 80GB", 312.0, False),
    ("vllm serve Qwen/Qwen3-8B --max-model-len 16384", "1x L40S", 362.0, False),
    ("vllm serve Qwen/Qwen3-14B", "1x H100 SXM", 989.0, False),
    ("vllm serve Qwen/Qwen3-32B", "1x H100 SXM", 989.0, False),
    ("vllm serve Qwen/Qwen3-32B -tp 2", "2x A100 SXM 80GB", 312.0, False),
    ("vllm serve meta-llama/Llama-3.1-70B-Instruct --quantization fp8 -tp 2", "2x H100 SXM", 1979.0, False),
    ("vllm serve Qwen/Qwen3-30B-A3B", "1x H100 SXM", 989.0, True),
)
LATE_MS, SLOW_MS, STALL_MS, SPIKE = 1000.0, 50.0, 150.0, 5.0
"""What harms: the first token after a second, a token every 50 ms, a tail of 150 ms five times the usual gap."""
QUEUED_MS = 250.0
"""With every seat taken, a first token after a quarter of a second may be called a queue, or still health."""
CURES, BETTER, MOVED = 0.5, 0.8, 0.9
"""A change that leaves half of the harm or less cures it; a second one is as good within this factor of the best.
One that leaves nine tenths of the stay has only moved the wait."""


@dataclass(frozen=True, slots=True)
class Server:
    """One server and its load. Times in ms, sizes in tokens."""

    seats: int
    pool: int
    budget: int
    clients: int
    prompt: int
    output: int
    weights_ms: float
    """Reading the weights once, at this server's efficiency."""
    kv_ms: float
    """Reading the KV cache of one token."""
    token_ms: float
    """Arithmetic of one token."""
    overhead_ms: float


@dataclass(slots=True)
class _Request:
    prompt: int
    output: int
    born: float
    computed: int = 0
    made: int = 0
    first: float = 0.0
    last: float = 0.0

    @property
    def wanted(self) -> int:
        return self.prompt + self.made


@dataclass(slots=True)
class Run:
    """What a client and the gauges saw after the ramp."""

    ttft: list[float] = field(default_factory=list)
    tpot: list[float] = field(default_factory=list)
    itl: list[float] = field(default_factory=list)
    prompts: list[int] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    running: float = 0.0
    waiting: float = 0.0
    usage: float = 0.0
    preemptions: int = 0
    seconds: float = 1e-9


def run(server: Server, draw: random.Random, steps: int = 6000) -> Run:
    """Closed loop of `clients`, lengths within a third of their means; the first wave is left out."""
    now, free, ended = 0.0, server.pool, 0
    seen, began = Run(), 0.0
    waiting: deque[_Request] = deque(_new(server, draw, 0.0) for _ in range(server.clients))
    running: list[_Request] = []
    warm = server.clients
    enough = warm + max(60, 2 * server.clients)
    weighed = 0.0
    for _ in range(steps):
        budget = server.budget
        work: list[tuple[_Request, int]] = []
        index = 0
        while index < len(running):
            request = running[index]
            tokens = min(budget, request.wanted - request.computed)
            while tokens > free and running:
                victim = running.pop()
                free += victim.computed
                victim.computed = 0
                waiting.appendleft(victim)
                seen.preemptions += ended >= warm
                work = [(r, n) for r, n in work if r is not victim]
                if victim is request:
                    break
            else:
                if tokens > 0:
                    free -= tokens
                    budget -= tokens
                    work.append((request, tokens))
                index += 1
                continue
            break
        while waiting and len(running) < server.seats and budget > 0 and waiting[0].wanted <= free:
            request = waiting.popleft()
            running.append(request)
            tokens = min(budget, request.wanted)
            free -= tokens
            budget -= tokens
            work.append((request, tokens))
        if not work:
            break
        count = sum(n for _, n in work)
        held = sum(r.computed for r in running)
        step = server.overhead_ms + max(server.weights_ms + held * server.kv_ms, count * server.token_ms)
        now += step
        if ended >= warm:
            began = began or now - step
            seen.running += len(running) * step
            seen.waiting += len(waiting) * step
            seen.usage += (1 - free / server.pool) * step
            weighed += step
        for request, tokens in work:
            request.computed += tokens
            if request.computed < request.wanted:
                continue
            if request.made == 0:
                request.first = now
            elif ended >= warm:
                seen.itl.append(now - request.last)
            request.last = now
            request.made += 1
            if request.made >= request.output:
                running.remove(request)
                free += request.computed
                ended += 1
                if ended > warm:
                    seen.ttft.append(request.first - request.born)
                    seen.tpot.append((now - request.first) / max(1, request.output - 1))
                    seen.prompts.append(request.prompt)
                    seen.outputs.append(request.output)
                waiting.append(_new(server, draw, now))
        if ended >= enough:
            break
    seen.running, seen.waiting, seen.usage = (x / max(weighed, 1e-9) for x in (seen.running, seen.waiting, seen.usage))
    seen.seconds = max((now - began) / 1000, 1e-9)
    return seen


def _new(server: Server, draw: random.Random, now: float) -> _Request:
    return _Request(
        max(1, round(server.prompt * draw.uniform(0.67, 1.33))),
        max(2, round(server.output * draw.uniform(0.67, 1.33))),
        now,
    )


def _at(values: list[float], share: float) -> float:
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def cause_of(server: Server, seen: Run, seed: int) -> frozenset[str] | None:
    """The answers that are right, by what cures the harm; None where nothing does, or a little of everything."""

    def after(changed: Server) -> tuple[float, float]:
        """Mean time to first token, and mean stay."""
        again = run(changed, random.Random(seed))  # noqa: S311
        if not again.ttft:
            return float("inf"), float("inf")
        return fmean(again.ttft), fmean(again.ttft) + fmean(again.tpot) * server.output

    base = fmean(seen.ttft)
    tpot, tail, usual = fmean(seen.tpot), _at(seen.itl, 0.99), _at(seen.itl, 0.5)
    fits = server.pool / (server.prompt + 0.75 * server.output)
    if base > LATE_MS:
        cures = {
            "queue_stall": after(replace(server, seats=4 * server.seats)),
            "kv_starvation": after(replace(server, pool=4 * server.pool)),
            "prefill_compute_bound": after(replace(server, token_ms=server.token_ms / 4)),
        }
        best = min(first for first, _ in cures.values())
        if best > CURES * base:
            return None
        right = {name for name, (first, _) in cures.items() if first <= best / BETTER and first <= 0.8 * base}
        stay = base + tpot * server.output
        if min(cures[name][1] for name in right) > MOVED * stay and cures["prefill_compute_bound"][1] < CURES * stay:
            right.add("prefill_compute_bound")  # the others only move the wait from before the first token to after it
        if "kv_starvation" in right and fits < 5:
            right.add("hbm_bound")
        if "prefill_compute_bound" in right and server.prompt >= server.budget:
            right.add("chunked_prefill_missized")
        return frozenset(right)
    if tail > STALL_MS and tail > SPIKE * usual:
        smaller = run(replace(server, budget=max(256, server.budget // 4)), random.Random(seed))  # noqa: S311
        cured = smaller.itl and _at(smaller.itl, 0.99) < 0.7 * tail
        return frozenset({"chunked_prefill_missized"}) if cured else None
    if tpot > SLOW_MS:
        return frozenset({"decode_bound"})
    if base > QUEUED_MS and seen.running > 0.9 * server.seats:
        return frozenset({"healthy", "queue_stall"})
    return frozenset({"healthy"})


Told = tuple[str, str | None, str | None, str | None, Observation, frozenset[str]]


def simulated(count: int, draw: random.Random) -> Iterator[Told]:
    """`count` servers with a known cause, as (name, command, gpu, version, what was seen, right answers)."""
    made = tried = 0
    while made < count and tried < 6 * count:
        tried += 1
        launch, gpu, _, moe = draw.choice(LAUNCHES)
        seats = draw.choice((None, None, 16, 64, 128))
        budget = draw.choice((None, None, 2048, 16384))
        words = [launch, f"--max-num-seqs {seats}" if seats else "", f"--max-num-batched-tokens {budget}" if budget else ""]
        command = " ".join(word for word in words if word)
        version = draw.choice(("0.11.0", "0.19.0", "0.31.0"))
        built = _built(command, version, gpu, draw, moe)
        if built is None:
            continue
        server = built
        seed = draw.randrange(2**31)
        seen = run(server, random.Random(seed))  # noqa: S311
        if len(seen.ttft) < 40 or not seen.itl:
            continue
        right = cause_of(server, seen, seed)
        if right is None:
            continue
        made += 1
        name = f"sim-{made} {command[11:60]} C{server.clients} {server.prompt}/{server.output} -> {'/'.join(sorted(right))}"
        yield name, command, gpu, version, _observed(server, seen, draw), right


def _built(command: str, version: str, gpu: str, draw: random.Random, moe: bool) -> Server | None:
    prompt, output = draw.choice((64, 256, 1000, 2000, 4000, 8000)), draw.choice((16, 64, 150, 300))
    deployment = deploy(command, version, gpu, None)
    memory = estimate(deployment, None, input_tokens=prompt, output_tokens=output)
    roof = roofline(deployment, read_evidence([], {"input_tokens": prompt, "output_tokens": output}), memory)
    if memory.pool is None or memory.pool.tokens is None or roof.weights_ms is None or roof.prefill_floor_ms is None:
        return None
    pool = round(memory.pool.tokens * draw.uniform(0.8, 1.2))
    if pool < 1.6 * (prompt + output) * 1.33:
        return None
    clients = draw.choice((4, 16, 64, 128, 300, 600))
    reach = draw.uniform(0.1, 0.25) if moe else draw.uniform(0.3, 0.7)
    bandwidth = draw.uniform(0.45, 0.8)
    per_token = memory.kv_bytes_per_token_per_gpu or 0.0
    speed = deployment.gpu.bandwidth_gb_s if deployment.gpu and deployment.gpu.bandwidth_gb_s else 2000.0
    return Server(
        seats=roof.seats_scheduler or 256,
        pool=pool,
        budget=roof.token_budget or 2048,
        clients=clients,
        prompt=prompt,
        output=output,
        weights_ms=roof.weights_ms / bandwidth,
        kv_ms=per_token / (speed * 1e6) / bandwidth,
        token_ms=roof.prefill_floor_ms / prompt / reach,
        overhead_ms=draw.uniform(0.5, 4.0),
    )


def _observed(server: Server, seen: Run, draw: random.Random) -> Observation:
    """What a user would have: a client's report, half of the time the gauges and the startup log too."""
    output = sum(seen.outputs) / seen.seconds
    given = {
        "ttft_ms_mean": fmean(seen.ttft),
        "ttft_ms_p50": _at(seen.ttft, 0.5),
        "ttft_ms_p99": _at(seen.ttft, 0.99),
        "itl_ms_mean": fmean(seen.itl),
        "itl_ms_p50": _at(seen.itl, 0.5),
        "itl_ms_p99": _at(seen.itl, 0.99),
        "tpot_ms_mean": fmean(seen.tpot),
        "output_tok_s": output,
        "total_tok_s": output + sum(seen.prompts) / seen.seconds,
        "request_rate": len(seen.ttft) / seen.seconds,
        "concurrency": float(server.clients),
        "input_tokens": fmean(seen.prompts),
        "output_tokens": fmean(seen.outputs),
    }
    if draw.random() < 0.5:
        given |= {
            "running": round(seen.running),
            "waiting": round(seen.waiting),
            "kv_usage": min(1.0, seen.usage),
            "preemption_rate": seen.preemptions / seen.seconds,
        }
    texts = []
    if draw.random() < 0.5:
        texts.append(f"INFO 01-01 00:00:00 [kv_cache_utils.py:1] GPU KV cache size: {server.pool:,} tokens")
    for name in ("ttft_ms_p50", "ttft_ms_p99", "itl_ms_p50", "itl_ms_p99", "total_tok_s", "request_rate", "tpot_ms_mean"):
        if draw.random() < 0.25:
            given.pop(name)
    return read_evidence(texts, given)
