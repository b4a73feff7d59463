"""Ways out of memory that runs out while the engine serves: a step allocates beside a pool that was taken at start.

The profile run measures one step with dummy requests (0.33.0 v1/worker/gpu_worker.py, determine_available_memory). What real
ones need beyond it - scratch space of kernels, images, fragments - must fit into what `--gpu-memory-utilization` leaves.
"""

from math import floor

from ....domain import Exhausted
from ..situation import Candidate, Situation, lowered, round_seats

__all__ = ["fewer_seats", "more_headroom", "smaller_pin", "smaller_steps"]

WATCH = "whether it survives the request that killed it; free memory (nvidia-smi memory.used) at the longest prompts"
NEVER_ALONE = "what the step needs is not in the message's figure alone: give it half a GiB or more beyond"
LEAST_UTILIZATION = 0.75
CUTS = (0.04, 0.02, 0.01)
"""Shares of the device to give back, the first that leaves a pool for the longest request."""
LEAST_BUDGET = 1024


def more_headroom(s: Situation) -> Candidate | Exhausted:
    """Lowers `--gpu-memory-utilization`, so that more stays free beside the pool."""
    change, now = "lower --gpu-memory-utilization", s.number("gpu_memory_utilization")
    if s.deployment.args.get("kv_cache_memory_bytes") or s.deployment.args.get("num_gpu_blocks_override"):
        return Exhausted(change=change, because="the pool is pinned, so the share has no say in its size")
    if now is None or now <= LEAST_UTILIZATION:
        return Exhausted(change=change, because="it is low already, or not known")
    wanted = next((less for cut in CUTS if _holds(s, less := floor(100 * (now - cut) + 0.5) / 100)), None)
    if wanted is None:
        return Exhausted(change=change, because="the pool would no longer hold one request of max_model_len")
    gpu = s.deployment.gpu
    freed = "" if gpu is None or not gpu.memory_mib else f", {(now - wanted) * gpu.memory_mib / 1024:.1f} GiB of each GPU,"
    return lowered(
        "--gpu-memory-utilization", now, wanted,
        why="the KV pool takes its share at start; what a step allocates later must fit into the rest",
        expected=f"{now - wanted:.0%} of the device{freed} stays free for the steps; {NEVER_ALONE}",
        watch=WATCH,
        risk="a smaller KV pool: see that it still holds one request of max_model_len",
    )  # fmt: skip


def _holds(s: Situation, utilization: float) -> bool:
    """Whether the pool at that share is known to hold the longest request, or is not known at all."""
    pool, longest = s.pool_with({"gpu_memory_utilization": utilization}), s.number("max_model_len")
    return pool is None or longest is None or pool >= longest


def smaller_pin(s: Situation) -> Candidate | Exhausted:
    """Lowers a pinned pool by a tenth."""
    change, pinned = "lower --kv-cache-memory-bytes", s.number("kv_cache_memory_bytes")
    if not pinned:
        return Exhausted(change=change, because="it is not set: the pool follows --gpu-memory-utilization")
    wanted = int(0.9 * pinned) // 2**20 * 2**20
    return lowered(
        "--kv-cache-memory-bytes", pinned, wanted,
        why="the pool is pinned, and what a step allocates later must fit beside it",
        expected=f"{(pinned - wanted) / 2**30:.2f} GiB stays free for the steps; {NEVER_ALONE}",
        watch=WATCH,
        risk="a smaller KV pool: see that it still holds one request of max_model_len",
    )  # fmt: skip


def smaller_steps(s: Situation) -> Candidate | Exhausted:
    """Halves the token budget: what a step allocates for prompts grows with it."""
    change, budget = "lower --max-num-batched-tokens", s.number("max_num_batched_tokens")
    seats = int(s.number("max_num_seqs") or 0)
    if budget is None or budget // 2 < max(seats, LEAST_BUDGET):
        return Exhausted(change=change, because="the budget is small already, or not known")
    if s.setting("enable_chunked_prefill") is False:
        return Exhausted(change=change, because="without chunked prefill it may not be less than max_model_len")
    wanted = int(budget // 2)
    return lowered(
        "--max-num-batched-tokens", budget, wanted,
        why="activations and the scratch space of prefill kernels grow with the tokens of one step",
        expected="about half the memory of a step that computes prompts; the pool grows by what the profile run saves of it",
        watch=WATCH,
        risk="long prompts take twice the steps",
    )  # fmt: skip


def fewer_seats(s: Situation) -> Candidate | Exhausted:
    """Halves the requests of a step: logits, sampling and recurrent state are allocated for each."""
    change, seats = "lower --max-num-seqs", s.number("max_num_seqs")
    if seats is None or seats < 2:
        return Exhausted(change=change, because="it is one already, or not known")
    wanted = round_seats(seats / 2)
    return lowered(
        "--max-num-seqs", seats, wanted,
        why="logits, sampling, images and recurrent state are allocated for each request of a step",
        expected="half of that memory at full load",
        watch=WATCH,
        risk=f"{'one request runs' if wanted == 1 else f'at most {wanted} requests run'} at once",
    )  # fmt: skip
