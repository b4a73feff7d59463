"""Knobs that give the KV pool more tokens, in order of least harm."""

from math import inf

from ....domain import BYTES_PER_GIB, Exhausted, Json
from ....facts.versions import at_least
from ..situation import FEW_SEATS, HARM_ACCURACY, HARM_HEADROOM, Candidate, Situation, round_seats

__all__ = [
    "fp8_kv_cache",
    "fp8_weights",
    "more_utilization",
    "replicated_latents",
    "smaller_batch",
    "smaller_budget",
    "unpin_blocks",
    "wider_pin",
]

SAFE_UTILIZATION = 0.95
"""Highest utilisation proposed: above it, allocations outside vLLM's profile have been seen to fail at run time."""

WORTHWHILE_POOL_GAIN = 1.03
"""A pool that grows by less than 3% is not worth a restart."""

SPARE_SEATS = 2
"""Seats kept for each request that the pool holds: shorter ones come, and an empty seat costs graph memory alone."""

WATCH_POOL = (
    "`GPU KV cache size` in the startup log, then vllm:kv_cache_usage_perc and the rate of vllm:num_preemptions_total"
)


def unpin_blocks(s: Situation) -> Candidate | Exhausted:
    """Takes out `--num-gpu-blocks-override`, which caps the pool below what memory holds."""
    pinned = s.deployment.args.get("num_gpu_blocks_override")
    if pinned is None:
        return Exhausted(change="unpin the number of blocks", because="--num-gpu-blocks-override is not set")
    return Candidate(
        action=f"take out --num-gpu-blocks-override {pinned}",
        flag="--num-gpu-blocks-override",
        old=pinned,
        new=None,
        changes={"num_gpu_blocks_override": None},
        why="the pool is pinned to a fixed number of blocks; the profiled size is ignored while it stands",
        expected="the pool grows to what the profile run leaves free (the startup log prints it)",
        watch=WATCH_POOL,
        risk="none beyond the memory the pool then takes",
        undo=f"--num-gpu-blocks-override {pinned}",
    )


def wider_pin(s: Situation) -> Candidate | Exhausted:
    """Raises `--kv-cache-memory-bytes` to what the load needs; while it is set the utilisation has no say."""
    change = "raise --kv-cache-memory-bytes"
    pinned, each, users = s.number("kv_cache_memory_bytes"), s.tokens_per_request, s.concurrency
    if pinned is None:
        return Exhausted(change=change, because="it is not set: the pool follows --gpu-memory-utilization")
    if each is None or users is None or not s.pool_tokens:
        return Exhausted(change=change, because="the tokens the load needs are not known")
    wanted = int(-(-pinned * (users * each * 1.1 / s.pool_tokens) // 2**20)) * 2**20
    if wanted <= pinned:
        return Exhausted(change=change, because=f"the pool of {s.pool_tokens:,} tokens already holds this load")
    return Candidate(
        action=f"raise --kv-cache-memory-bytes from {int(pinned)} to {wanted}",
        flag="--kv-cache-memory-bytes",
        old=int(pinned),
        new=wanted,
        changes={"kv_cache_memory_bytes": wanted},
        why="the pool is pinned by --kv-cache-memory-bytes (--gpu-memory-utilization has no say while it is set) "
        f"and holds {s.pool_tokens:,} tokens; {users:.0f} requests of this length need {users * each:,.0f}",
        expected=s.pool_gain({"kv_cache_memory_bytes": wanted}),
        watch=WATCH_POOL,
        risk=f"needs {(wanted - pinned) / BYTES_PER_GIB:.2f} GiB more memory: compare with the free memory the startup log prints",
        undo=f"--kv-cache-memory-bytes {int(pinned)}",
    )


def more_utilization(s: Situation) -> Candidate | Exhausted:
    """Raises `--gpu-memory-utilization` where memory is neither shared nor unified and the pool follows it."""
    change = "raise --gpu-memory-utilization"
    now, gpu = s.number("gpu_memory_utilization"), s.deployment.gpu
    if s.number("kv_cache_memory_bytes") is not None or s.deployment.args.get("num_gpu_blocks_override") is not None:
        return Exhausted(change=change, because="the pool is pinned and does not follow it")
    if now is None or (gpu is not None and gpu.vendor == "cpu"):
        return Exhausted(change=change, because="the device's memory is not divided by it")
    if (gpu is not None and gpu.unified_memory) or s.shares_gpu:
        return Exhausted(change=change, because="the memory is shared with other users of the device")
    wanted = s.default_utilization if now < s.default_utilization else SAFE_UTILIZATION
    if wanted <= now:
        return Exhausted(
            change=change, because=f"it is {now:g} already; above {SAFE_UTILIZATION:g} unprofiled allocations fail"
        )
    graphs = (
        "" if at_least(s.deployment.version, "0.20.0") else "; before 0.20 CUDA graphs (0.5-2 GiB) come on top of it"
    )
    return Candidate(
        action=f"raise --gpu-memory-utilization from {now:g} to {wanted:g}",
        flag="--gpu-memory-utilization",
        old=now,
        new=wanted,
        changes={"gpu_memory_utilization": wanted},
        why="all memory gained goes to the KV pool: weights and activations do not grow with it",
        expected=s.pool_gain({"gpu_memory_utilization": wanted}),
        watch=WATCH_POOL,
        risk=f"start-up fails if other processes hold the memory; less headroom for unprofiled allocations{graphs}",
        undo=f"--gpu-memory-utilization {now:g}",
        harm=HARM_HEADROOM,
    )


def fp8_kv_cache(s: Situation) -> Candidate | Exhausted:
    """Halves the bytes of a cached token on devices with FP8 arithmetic."""
    change, gpu, now = "--kv-cache-dtype fp8", s.deployment.gpu, s.setting("kv_cache_dtype")
    if now not in ("auto", "bfloat16", "float16"):
        return Exhausted(change=change, because=f"the cache is stored as {now} already")
    if gpu is None or gpu.fp8_tflops is None:
        return Exhausted(change=change, because="the device has no FP8 arithmetic, or is not known to")
    if s.memory is None or not s.memory.kv_bytes_per_token:
        return Exhausted(change=change, because="the model's cache layout is not known")
    slow = (
        ""
        if (gpu.compute_capability or "") >= "9.0"
        else ("; below compute capability 9.0 FlashAttention has no FP8 KV and another backend is taken")
    )
    return Candidate(
        action="store the KV cache in FP8: --kv-cache-dtype fp8",
        flag="--kv-cache-dtype",
        old=now,
        new="fp8",
        changes={"kv_cache_dtype": "fp8"},
        why="a cached token takes half the bytes",
        expected=s.pool_gain({"kv_cache_dtype": "fp8"}),
        watch=WATCH_POOL,
        risk=f"accuracy: evaluate on your own task first{slow}",
        undo="take --kv-cache-dtype out",
        harm=HARM_ACCURACY,
    )


def smaller_batch(s: Situation) -> Candidate | Exhausted:
    """Lowers `--max-num-seqs` where what is kept for each seat (state, sampling, graphs) is a real share of the pool."""
    change, seats = "lower --max-num-seqs for its memory", s.number("max_num_seqs")
    if seats is not None and seats <= 2:
        return Exhausted(change=change, because="the seats are few already")
    able = min(s.concurrency or inf, s.roofline.seats_kv or inf)  # what the pool holds, and there is to hold
    wanted = FEW_SEATS if seats is None else round_seats(min(seats / 2, max(FEW_SEATS, SPARE_SEATS * able)))
    if s.pool_tokens:
        after = s.pool_with({"max_num_seqs": wanted})
        if after is None or after < WORTHWHILE_POOL_GAIN * s.pool_tokens:
            return Exhausted(change=change, because="fewer seats free less than 3% of the pool")
    return Candidate(
        action=f"lower --max-num-seqs from {'its default' if seats is None else f'{seats:.0f}'} to {wanted}",
        flag="--max-num-seqs",
        old=None if seats is None else int(seats),
        new=wanted,
        changes={"max_num_seqs": wanted},
        why="memory is kept for every seat (sampling, graphs, recurrent state) before the pool is sized",
        expected=s.pool_gain({"max_num_seqs": wanted}),
        watch=WATCH_POOL,
        risk=f"at most {wanted} requests run at once",
        undo="take --max-num-seqs out" if seats is None else f"--max-num-seqs {seats:.0f}",
    )


def replicated_latents(s: Situation) -> Candidate | Exhausted:
    """Replicates attention over the GPUs there are where tensor parallelism keeps a copy of the whole cache on each (MLA)."""
    change, model = "data parallel attention", s.deployment.model
    tp, dp = int(s.number("tensor_parallel_size") or 1), int(s.number("data_parallel_size") or 1)
    if model is None or not model.uses_mla or tp < 2:
        return Exhausted(change=change, because="tensor parallelism divides the cache of this model, or there is none")
    experts = model.moe is not None
    changes: dict[str, Json] = {"tensor_parallel_size": 1, "data_parallel_size": tp * dp}
    if experts:
        changes["enable_expert_parallel"] = True
    words = f"--tensor-parallel-size 1 --data-parallel-size {tp * dp}{' --enable-expert-parallel' if experts else ''}"
    return Candidate(
        action=f"replicate attention over the same GPUs instead of splitting it: {words}",
        flag="--enable-expert-parallel" if experts else None,
        old=s.setting("enable_expert_parallel") if experts else None,
        new=True if experts else None,
        changes=changes,
        why=f"latent attention keeps the same cache on each of {tp} ranks; replicas keep {tp} different ones",
        expected=f"{tp} pools where there was one (vllm-project/vllm#51454: 7.7 times the cache on 8 GPUs, TTFT 3.7 times lower)",
        watch=WATCH_POOL + " of each engine; TPOT at low load, which rises",
        risk="each request is decoded by one GPU's attention: slower at low load; attention weights are held on every GPU",
        undo=f"--tensor-parallel-size {tp}",
        harm=HARM_HEADROOM,
    )


def smaller_budget(s: Situation) -> Candidate | Exhausted:
    """Shrinks the token budget where the activations it reserves are a real share of the pool."""
    change, budget = "lower --max-num-batched-tokens for its activations", s.number("max_num_batched_tokens")
    seats = s.number("max_num_seqs") or 0
    if budget is None or budget <= 2048 or budget // 2 < seats:
        return Exhausted(change=change, because="the budget is small already")
    wanted = int(budget // 2)
    after = s.pool_with({"max_num_batched_tokens": wanted})
    if s.pool_tokens and (after is None or after < WORTHWHILE_POOL_GAIN * s.pool_tokens):
        return Exhausted(change=change, because="halving it frees less than 3% of the pool")
    return Candidate(
        action=f"lower --max-num-batched-tokens from {budget:.0f} to {wanted}",
        flag="--max-num-batched-tokens",
        old=int(budget),
        new=wanted,
        changes={"max_num_batched_tokens": wanted},
        why="the activation peak of a full step is reserved before the pool is sized",
        expected=s.pool_gain({"max_num_batched_tokens": wanted}),
        watch=WATCH_POOL + "; TTFT of long prompts",
        risk="long prompts take twice the steps to prefill",
        undo=f"--max-num-batched-tokens {budget:.0f}",
    )


def fp8_weights(s: Situation) -> Candidate | Exhausted:
    """Quantises the weights on load where checkpoint and device allow it."""
    change, model, gpu = "FP8 weights", s.deployment.model, s.deployment.gpu
    if model is None or gpu is None or gpu.fp8_tflops is None:
        return Exhausted(change=change, because="the model is not known, or the device has no FP8 arithmetic")
    if model.quantization is not None or s.setting("quantization") is not None or model.dtype_bytes != 2:
        return Exhausted(change=change, because="the weights are quantised already")
    return Candidate(
        action="load the weights in FP8: --quantization fp8 (or an FP8 checkpoint of the model)",
        flag="--quantization",
        old=None,
        new="fp8",
        changes={"quantization": "fp8"},
        why="weights take half the memory, and half the bandwidth of a decode step",
        expected=s.pool_gain({"quantization": "fp8"}),
        watch=WATCH_POOL + "; TPOT",
        risk="accuracy: evaluate on your own task first",
        undo="take --quantization out",
        harm=HARM_ACCURACY,
    )
