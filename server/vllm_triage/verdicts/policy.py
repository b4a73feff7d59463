"""The house rules: what this product refuses to do even where the engine would let you.

A rule is data (:data:`RULES`) and, where it has a condition, one function that answers with a
:class:`~vllm_triage.domain.Refusal` or nothing. Policies are never presented as facts: where evidence contradicts a
rule's usual justification, the refusal says so in a sentence.
"""

from collections.abc import Collection
from dataclasses import dataclass

from ..domain import BYTES_PER_GIB, Accelerator, Deployment, Ignored, Json, MemoryBudget, Observation, Refusal, Roofline
from ..facts.versions import at_least, between
from .speculation import read_speculation
from .thresholds import CEILING, H100_CLASS, KV_FULL, SLOW_EXPLAINED, SLOW_OUTPUT

__all__ = [
    "RULES", "HouseRule", "PoolGain", "Ruling", "core_metrics", "default_utilization", "draft_model_recipe",
    "gpu_utilization_ignored", "h100_class", "judge", "no_draft_chunked_0180", "not_vllm_first", "pool_gain",
    "raise_ceiling_first", "unknown_acknowledgements",
]


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule as ``explain`` shows it."""

    id: str
    statement: str
    acknowledgeable: bool
    """True when the user may turn the refusal into a warning by naming it."""
    justification: str


RULES: dict[str, HouseRule] = {rule.id: rule for rule in (
    HouseRule(
        "core-metrics",
        "No bottleneck and no recommendation without TTFT, ITL, throughput and concurrency.", False,
        "Four causes share the symptom of a high TTFT; these four numbers tell them apart. Parsing, sizing and "
        "compatibility answer without them.",
    ),
    HouseRule(
        "gpu-util-ignored",
        "GPU utilisation (DCGM_FI_DEV_GPU_UTIL, nvidia-smi) is never evidence: it is dropped, and said so.", False,
        "It is the share of time in which any kernel was resident: near 100% at the decode floor, in a prefill storm "
        "and with one slow stream alike.",
    ),
    HouseRule(
        "not-vllm-first",
        "Under 100 output tok/s on an H100-class GPU, look at the client's tokenizer, the Python GIL and request "
        "serialisation before the scheduler, unless the roofline or the KV pool explains the figure.", True,
        "Such a GPU streams one 8B sequence faster than that. Long prompts, large models at low concurrency and pools of "
        "a few requests explain lower figures, and then the explanation is given instead.",
    ),
    HouseRule(
        "raise-ceiling-first",
        "With --gpu-memory-utilization below 0.70, nothing else is tuned before it is raised.", True,
        "The memory above the ceiling could hold KV cache, and every other change trades something away. Not refused "
        "where the pool is pinned, the memory is unified, or the user says the GPU is shared.",
    ),
    HouseRule(
        "no-draft-chunked-0180",
        "vLLM 0.18.x: draft-model speculation together with chunked prefill is refused; EAGLE-3, or N-gram GPU "
        "(ngram_gpu) when both are wanted, instead.", True,
        "A rule from the field, kept as policy. The 0.18 source has no check that couples the two, and its feature matrix "
        "marks chunked prefill and speculative decoding compatible.",
    ),
    HouseRule(
        "chunked-prefill-cleared",
        "--enable-chunked-prefill is never recommended before the speculative configuration was checked.", False,
        "A recommendation that turns it on cannot be built without the compatibility report that cleared it.",
    ),
    HouseRule(
        "tune-before-scale",
        "More GPUs or replicas are never proposed while a scheduler-level change is untried.", False,
        "A replica with the same wrong cap queues the same way. A scale-out proposal carries the list of what was "
        "exhausted and why.",
    ),
    HouseRule(
        "measure-next",
        "Every diagnosis ends naming one of P99 ITL, block allocation rate, WAITING queue depth.", False,
        "One number tells whether the change worked. vLLM exports no block allocation rate: the change of "
        "vllm:kv_cache_usage_perc between scrapes stands for it.",
    ),
)}
"""The house rules by id."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the house rules say of one case."""

    refusals: tuple[Refusal, ...]
    ignored: tuple[Ignored, ...]
    notes: tuple[str, ...]
    """Why a rule that looks as if it should fire does not: exceptions, each named."""

    @property
    def standing(self) -> tuple[Refusal, ...]:
        """Refusals nobody acknowledged."""
        return tuple(r for r in self.refusals if not r.acknowledged)


def judge(
    deployment: Deployment | None, seen: Observation, memory: MemoryBudget | None, roof: Roofline,
    acknowledge: Collection[str] = (),
) -> Ruling:
    """Hold one case against every house rule that has a condition."""
    refusals: list[Refusal] = []
    notes = [*unknown_acknowledgements(acknowledge)]
    if (refusal := core_metrics(seen)) is not None:
        refusals.append(refusal)
    else:
        slow, why = not_vllm_first(deployment, seen, memory, roof)
        refusals += [slow] if slow else []
        notes += [why] if why else []
    if deployment is not None:
        ceiling, why = raise_ceiling_first(deployment, memory)
        refusals += [ceiling] if ceiling else []
        notes += [why] if why else []
        if (recipe := no_draft_chunked_0180(deployment)) is not None:
            refusals.append(recipe)
    said = tuple(r.but(acknowledged=True) if _may(r.rule, acknowledge) else r for r in refusals)
    return Ruling(said, gpu_utilization_ignored(seen), tuple(notes))


def _may(rule: str, acknowledge: Collection[str]) -> bool:
    return rule in acknowledge and RULES[rule].acknowledgeable


def unknown_acknowledgements(acknowledge: Collection[str]) -> tuple[str, ...]:
    """A note for each acknowledged name that is no house rule, or one that cannot be acknowledged."""
    open_rules = ", ".join(rule.id for rule in RULES.values() if rule.acknowledgeable)
    return tuple(
        f"acknowledge {name[:60]!r}: "
        + ("this rule always holds" if name in RULES else "no such rule") + f"; what can be acknowledged: {open_rules}"
        for name in acknowledge if not (name in RULES and RULES[name].acknowledgeable)
    )


# --- core-metrics

ASK = {
    "ttft": "TTFT: ttft_ms_mean (or ttft_ms_p99); vllm bench serve prints it, /metrics has vllm:time_to_first_token_seconds",
    "itl": "ITL: itl_ms_mean or itl_ms_p99 (or tpot_ms_mean); /metrics has vllm:inter_token_latency_seconds",
    "throughput": "throughput: output_tok_s; from /metrics it takes two scrapes of vllm:generation_tokens_total",
    "concurrency": "concurrency: requests in flight as the client offers them, or vllm:num_requests_running",
}


def core_metrics(seen: Observation) -> Refusal | None:
    """Refuse to name a bottleneck while one of the four core metrics is missing, naming exactly those."""
    missing = seen.missing_core()
    if not missing:
        return None
    names = ", ".join({"ttft": "TTFT", "itl": "ITL"}.get(name, name) for name in missing)
    return Refusal(
        rule="core-metrics",
        message=f"No bottleneck is named without {names}. Missing: {names}.",
        ask=tuple(ASK[name] for name in missing),
    )


# --- gpu-util-ignored


def gpu_utilization_ignored(seen: Observation) -> tuple[Ignored, ...]:
    """What the readers set aside; utilisation among it carries this rule's reason."""
    return seen.ignored


# --- not-vllm-first


def h100_class(gpu: Accelerator | None) -> bool:
    """True for a GPU whose dense BF16 rate is that of an H100 or more."""
    return gpu is not None and gpu.vendor != "cpu" and (gpu.bf16_tflops or 0.0) >= H100_CLASS


def not_vllm_first(
    deployment: Deployment | None, seen: Observation, memory: MemoryBudget | None, roof: Roofline
) -> tuple[Refusal | None, str]:
    """Send a suspiciously slow H100 to its client first; the second value says what explains the figure instead."""
    if deployment is None or not h100_class(deployment.gpu) or seen.output_tok_s is None:
        return None, ""
    rate = seen.output_tok_s.value
    if rate >= SLOW_OUTPUT:
        return None, ""
    if why := _explained(seen, memory, roof, rate):
        return None, f"not-vllm-first: {rate:.4g} output tok/s is low for this GPU, but {why}"
    name = deployment.gpu.name if deployment.gpu else "this GPU"
    return Refusal(
        rule="not-vllm-first",
        message=f"{rate:.4g} output tok/s on {name} is below {SLOW_OUTPUT:.0f}, and neither the roofline nor the KV pool "
        "explains it at this concurrency and length. Look outside the scheduler first: the client's tokenizer, the Python "
        "GIL in client or front end, requests sent one after another.",
        ask=(
            "Is the figure output tokens only, for the whole server (not per user or per GPU)?",
            "vllm bench serve against the same server, from the same machine: does it reach a higher rate?",
            "CPU use of the client and of the API server process (one core at 100% is the GIL)",
            "vllm:num_requests_running during the load: does the offered concurrency arrive?",
        ),
    ), ""


def _explained(seen: Observation, memory: MemoryBudget | None, roof: Roofline, rate: float) -> str:
    """What accounts for a low output rate; empty when nothing does."""
    usage = seen.kv_usage_max or seen.kv_usage
    waiting = seen.waiting_max or seen.waiting
    if usage is not None and usage.value >= KV_FULL and waiting is not None and waiting.value > 0:
        return f"the KV pool explains it: {usage.value:.0%} of it is in use and {waiting.value:.0f} requests wait for blocks"
    possible, limit = _possible_rate(seen, roof)
    if possible is not None and rate >= SLOW_EXPLAINED * possible:
        return f"the {limit} explains it: at this concurrency and length about {possible:.4g} output tok/s are possible"
    return ""


def _possible_rate(seen: Observation, roof: Roofline) -> tuple[float | None, str]:
    """Output tokens per second that pool, seats, prefill and decode floor allow; and which of them is the limit.

    `seats` requests at once, each staying for its prefill and its decode steps, but prefill shared by all: no more
    prompts a second than one after the other.
    """
    concurrency = seen.concurrency or seen.running
    if roof.decode_floor_ms is None or concurrency is None:
        return None, ""
    limits = [(concurrency.value, "roofline")]
    if roof.seats_kv is not None:
        limits.append((max(roof.seats_kv, 0.5), "KV pool"))
    if roof.seats_scheduler is not None:
        limits.append((float(roof.seats_scheduler), "number of scheduler seats"))
    seats, limit = min(limits)
    if seen.output_tokens is None or roof.prefill_floor_ms is None or seen.output_tokens.value <= 0:
        return 1000 * seats / roof.decode_floor_ms, limit
    osl = seen.output_tokens.value
    by_stay = 1000 * seats * osl / (roof.prefill_floor_ms + osl * roof.decode_floor_ms)
    by_prefill = 1000 * osl / roof.prefill_floor_ms
    return (by_stay, limit) if by_stay <= by_prefill else (by_prefill, "prefill of these prompts (roofline)")


# --- raise-ceiling-first


@dataclass(frozen=True, slots=True)
class PoolGain:
    """What raising the memory ceiling to the version's default adds to the KV pool."""

    to: float
    gib_per_gpu: float
    tokens: int | None
    """Tokens gained per replica; None when the bytes of a token are not known."""


def default_utilization(version: str) -> float:
    """The version's own ``--gpu-memory-utilization`` (config/cache.py: 0.9 up to 0.19.1, 0.92 from 0.20.0)."""
    return 0.92 if at_least(version, "0.20.0") else 0.9


def pool_gain(deployment: Deployment, memory: MemoryBudget | None) -> PoolGain | None:
    """The pool gained by raising the ceiling to the default: all of the added memory goes to KV cache."""
    given = _number(deployment.setting("gpu_memory_utilization"))
    total = None if memory is None else memory.budget.total_gib
    if memory is None or given is None or total is None:
        return None
    to = default_utilization(deployment.version)
    gained = (to - given) * total
    per_token = memory.kv_bytes_per_token_per_gpu
    return PoolGain(to, gained, int(gained * BYTES_PER_GIB / per_token) if per_token else None)


def raise_ceiling_first(deployment: Deployment, memory: MemoryBudget | None) -> tuple[Refusal | None, str]:
    """Refuse to tune below a utilisation of 0.70; the second value names the exception that lifts the rule."""
    given = _number(deployment.setting("gpu_memory_utilization"))
    if given is None or given >= CEILING or not deployment.was_given("gpu_memory_utilization"):
        return None, ""
    if exception := _ceiling_exception(deployment):
        return None, f"raise-ceiling-first does not apply at {given:g}: {exception}"
    gain = pool_gain(deployment, memory)
    to = default_utilization(deployment.version)
    gained = "; give the GPU and the model, or the startup log, for the size of the gain" if gain is None else (
        f": {gain.gib_per_gpu:.1f} GiB per GPU" + (f", about {gain.tokens:,} KV tokens per replica" if gain.tokens else "")
    )
    return Refusal(
        rule="raise-ceiling-first",
        message=f"--gpu-memory-utilization {given:g} is below {CEILING:.2f}. Raise it before tuning anything else: "
        f"the default of vLLM {deployment.version} is {to:g}, which adds to the KV pool{gained}.",
        ask=(
            f"Run again with --gpu-memory-utilization {to:g}",
            'Or, when another process needs that memory, say so: acknowledge ["raise-ceiling-first"]',
        ),
    ), ""


def _ceiling_exception(deployment: Deployment) -> str:
    if deployment.setting("kv_cache_memory_bytes") is not None:
        return "the pool is pinned by --kv-cache-memory-bytes, which ignores the utilisation"
    if deployment.setting("num_gpu_blocks_override") is not None or deployment.was_given("num_gpu_blocks_override"):
        return "the pool is pinned by --num-gpu-blocks-override, whatever the utilisation"
    gpu = deployment.gpu
    if gpu is not None and gpu.vendor == "cpu":
        return "the device is a CPU, whose memory the operating system shares"
    if gpu is not None and gpu.unified_memory:
        return f"the memory of {gpu.name} is unified, and the operating system shares it"
    return ""


# --- no-draft-chunked-0180


def draft_model_recipe(deployment: Deployment) -> bool:
    """True for vLLM 0.18.x with draft-model speculation while chunked prefill is on (its default)."""
    if not between(deployment.version, "0.18.0", "0.19.0"):
        return False
    if deployment.setting("enable_chunked_prefill") is False:
        return False
    if any(reading.flag == "--speculative-model" for reading in deployment.flags):
        return True
    args = deployment.args
    setting = deployment.setting("speculative_config")
    if "speculative_config" not in args and setting is not None:
        args = {**args, "speculative_config": setting}
    spec = read_speculation(args)
    return spec is not None and spec.uses_draft_model


SOURCE_SHOWS = (
    "Basis: policy. The 0.18 source shows no check that couples the two (config/speculative.py, config/vllm.py, "
    "engine/arg_utils.py), its feature matrix marks them compatible, and chunked prefill is on by default; "
    "--speculative-model itself is gone since 0.8.5."
)
"""The sentence that keeps policy apart from fact."""


def no_draft_chunked_0180(deployment: Deployment) -> Refusal | None:
    """Refuse the draft-model recipe on 0.18.x. Chunked prefill is never the thing to give up: without it a prompt longer
    than the draft-reduced budget is never scheduled and blocks the queue."""
    if not draft_model_recipe(deployment):
        return None
    return Refusal(
        rule="no-draft-chunked-0180",
        message=f"Draft-model speculation with chunked prefill on vLLM {deployment.version} is a recipe this product refuses. "
        'Use EAGLE-3 ("method": "eagle3"), or N-gram GPU ("method": "ngram_gpu") as the documented exception when both '
        f"are wanted. {SOURCE_SHOWS}",
        ask=(
            'Change --speculative-config to "method": "eagle3" or "method": "ngram_gpu"',
            'Or acknowledge ["no-draft-chunked-0180"] to go on with a warning',
        ),
    )


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
