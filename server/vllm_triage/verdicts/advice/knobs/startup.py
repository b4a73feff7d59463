"""Ways out of a start that failed, by the step it failed in. The launch does not serve yet, so nothing is traded."""

import math
import re

from ....domain import BYTES_PER_GIB, Exhausted
from ..situation import FEW_SEATS, Candidate, Situation, lowered

__all__ = [
    "fewer_graphs",
    "fewer_seats_to_start",
    "free_the_device",
    "longer_pin",
    "lower_utilization",
    "shorter_context",
    "smaller_profile",
]

WATCH = "the startup log: `Available KV cache memory` and `GPU KV cache size`"
NO_RISK = "none: the server does not start as it is"


def longer_pin(s: Situation) -> Candidate | Exhausted:
    """Raises `--kv-cache-memory-bytes` to what one request of max_model_len needs."""
    change, pinned = "raise --kv-cache-memory-bytes", s.number("kv_cache_memory_bytes")
    length, fits = s.number("max_model_len"), s.observation.pool.estimated_max_model_len if s.observation.pool else None
    if pinned is None or length is None or not fits:
        return Exhausted(change=change, because="the pool is not pinned, or what it needs is not known")
    wanted = math.ceil(pinned * length / fits * 1.05 / 2**20) * 2**20
    return Candidate(
        action=f"raise --kv-cache-memory-bytes from {int(pinned)} to {wanted}",
        flag="--kv-cache-memory-bytes",
        old=int(pinned),
        new=wanted,
        changes={"kv_cache_memory_bytes": wanted},
        why=f"the pinned pool holds {fits:,} tokens, one request may be {length:,.0f} long",
        expected=f"one request of {length:,.0f} tokens fits, so the engine starts",
        watch=WATCH,
        risk=f"{(wanted - pinned) / BYTES_PER_GIB:.2f} GiB more memory is taken",
        undo=f"--kv-cache-memory-bytes {int(pinned)}",
    )


def shorter_context(s: Situation) -> Candidate | Exhausted:
    """Lowers `--max-model-len` to the longest request the pool holds, as the failing start computed it."""
    change, pool, length = "lower --max-model-len", s.observation.pool, s.number("max_model_len")
    if pool is None or not pool.estimated_max_model_len:
        return Exhausted(change=change, because="the log does not say which length would fit")
    fits = pool.estimated_max_model_len
    return Candidate(
        action=f"lower --max-model-len to {fits}",
        flag="--max-model-len",
        old=None if length is None else int(length),
        new=fits,
        changes={"max_model_len": fits},
        why="one request of max_model_len must fit into the KV pool before the engine starts",
        expected=f"the engine starts; requests longer than {fits:,} tokens are refused",
        watch=WATCH,
        risk="long requests are refused; it adds no capacity for many short ones",
        undo="restore --max-model-len",
    )


def free_the_device(s: Situation) -> Candidate | Exhausted:
    """Frees the memory another process holds, or asks for no more than is free."""
    pool, now = s.observation.pool, s.number("gpu_memory_utilization")
    if pool is None or pool.free_gib is None or not pool.total_gib:
        return Exhausted(change="ask for no more than is free", because="the log does not say how much is free")
    fits = math.floor(pool.free_gib / pool.total_gib * 100) / 100
    if fits <= 0:
        return Exhausted(change="ask for no more than is free", because="nothing is free")
    return Candidate(
        action=f"stop what else holds the device's memory, or --gpu-memory-utilization {fits:g}",
        flag="--gpu-memory-utilization",
        old=now,
        new=fits,
        changes={"gpu_memory_utilization": fits},
        why=f"{pool.free_gib:g} of {pool.total_gib:g} GiB are free at start, and the launch asks for {now or 0:.0%}",
        expected=f"the engine starts with {fits:.0%} of the device",
        watch=WATCH,
        risk="the lower figure leaves a smaller KV pool; freeing the memory does not",
        undo="restore --gpu-memory-utilization",
    )


def smaller_profile(s: Situation) -> Candidate | Exhausted:
    """Halves the token budget the profiling run computes with."""
    change, budget = "lower --max-num-batched-tokens", s.number("max_num_batched_tokens")
    seats = int(s.number("max_num_seqs") or 0)
    if budget is None or budget // 2 < max(seats, 256):
        return Exhausted(change=change, because="the budget is small already, or not known")
    wanted = int(budget // 2)
    return lowered(
        "--max-num-batched-tokens", budget, wanted,
        why="the profiling run computes one step with a full token budget; that peak does not fit",
        expected="about half the activation memory",
        watch=WATCH,
        risk="long prompts take twice the steps",
    )  # fmt: skip


def fewer_seats_to_start(s: Situation) -> Candidate | Exhausted:
    """Halves the requests the sampler is warmed up with, or sets a few where how many is not known."""
    change, pool = "lower --max-num-seqs", s.observation.pool
    told = re.search(r"with (\d+) dummy requests", pool.error) if pool is not None and pool.error else None
    seats = float(told[1]) if told else s.number("max_num_seqs")
    if seats is not None and seats < 32:
        return Exhausted(change=change, because="the seats are few already")
    wanted = FEW_SEATS if seats is None else int(seats // 4)
    return Candidate(
        action=f"lower --max-num-seqs from {'its default' if seats is None else f'{seats:.0f}'} to {wanted}",
        flag="--max-num-seqs",
        old=None if seats is None else int(seats),
        new=wanted,
        changes={"max_num_seqs": wanted},
        why="the engine profiles and warms up with max_num_seqs requests of the whole vocabulary at once",
        expected="a quarter of the memory of that step" if seats is not None else "less memory in that step, where the default is more",
        watch=WATCH,
        risk="fewer requests run at once",
        undo="take --max-num-seqs out" if seats is None else f"--max-num-seqs {seats:.0f}",
    )


def lower_utilization(s: Situation) -> Candidate | Exhausted:
    """Leaves memory for what is allocated after the pool was sized: graphs, the sampler."""
    change, now = "lower --gpu-memory-utilization", s.number("gpu_memory_utilization")
    if now is None or now <= 0.75:
        return Exhausted(change=change, because="it is low already, or not known")
    wanted = 0.90 if now > 0.90 else round(now - 0.05, 2)
    return lowered(
        "--gpu-memory-utilization", now, wanted,
        why="the KV pool takes its share before this step allocates; what is outside the share is too little for it",
        expected=f"{now - wanted:.0%} of the device's memory stays free for it",
        watch=WATCH,
        risk="a smaller KV pool",
    )  # fmt: skip


def fewer_graphs(s: Situation) -> Candidate | Exhausted:
    """Captures fewer CUDA graphs."""
    change, gpu, largest = "--max-cudagraph-capture-size", s.deployment.gpu, s.number("max_cudagraph_capture_size")
    if s.setting("enforce_eager") is True or gpu is None or gpu.vendor == "cpu" or not largest or largest <= 16:
        return Exhausted(change=change, because="no graphs are captured, or few, or how many is not known")
    wanted = int(largest // 4)
    return Candidate(
        action=f"capture fewer CUDA graphs: {change} {wanted}",
        flag=change,
        old=int(largest),
        new=wanted,
        changes={"max_cudagraph_capture_size": wanted},
        why="graphs are captured after the KV pool has taken its memory",
        expected="graphs for large batches are not captured: their memory stays free",
        watch=WATCH,
        risk=f"batches above {wanted} run without graphs, a little slower",
        undo=f"take {change} out",
    )
