"""The house rules as data: what ``explain`` shows, and which of them a user may acknowledge."""

from dataclasses import dataclass

__all__ = ["RULES", "HouseRule"]


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule as ``explain`` shows it."""

    id: str
    statement: str
    acknowledgeable: bool
    """True when the user may turn the refusal into a warning by naming it."""
    justification: str


RULES: dict[str, HouseRule] = {
    rule.id: rule
    for rule in (
        HouseRule(
            "core-metrics",
            "No bottleneck and no recommendation without TTFT, ITL, throughput and concurrency.",
            False,
            "Four causes share the symptom of a high TTFT; these four numbers tell them apart. Parsing, sizing and "
            "compatibility answer without them.",
        ),
        HouseRule(
            "gpu-util-ignored",
            "GPU utilisation (DCGM_FI_DEV_GPU_UTIL, nvidia-smi) is never evidence: it is dropped, and said so.",
            False,
            "It is the share of time in which any kernel was resident: near 100% at the decode floor, in a prefill "
            "storm and with one slow stream alike.",
        ),
        HouseRule(
            "not-vllm-first",
            "Under 100 output tok/s on an H100-class GPU, look at the client's tokenizer, the Python GIL and request "
            "serialisation before the scheduler, unless the roofline or the KV pool explains the figure.",
            True,
            "Such a GPU streams one 8B sequence faster than that. Long prompts, large models at low concurrency and "
            "pools "
            "of a few requests explain lower figures, and then the explanation is given instead.",
        ),
        HouseRule(
            "raise-ceiling-first",
            "With --gpu-memory-utilization below 0.70, nothing else is tuned before it is raised.",
            True,
            "The memory above the ceiling could hold KV cache, and every other change trades something away. Not "
            "refused where the pool is pinned, the memory is unified, or the user says the GPU is shared.",
        ),
        HouseRule(
            "no-draft-chunked-0180",
            "vLLM 0.18.x: draft-model speculation together with chunked prefill is refused; EAGLE-3, or N-gram GPU "
            "(ngram_gpu) when both are wanted, instead.",
            True,
            "A rule from the field, kept as policy. The 0.18 source has no check that couples the two, and its feature "
            "matrix marks chunked prefill and speculative decoding compatible.",
        ),
        HouseRule(
            "chunked-prefill-cleared",
            "--enable-chunked-prefill is never recommended before the speculative configuration was checked.",
            False,
            "A recommendation that turns it on cannot be built without the compatibility report that cleared it.",
        ),
        HouseRule(
            "tune-before-scale",
            "More GPUs or replicas are never proposed while a scheduler-level change is untried.",
            False,
            "A replica with the same wrong cap queues the same way. A scale-out proposal carries the list of what was "
            "exhausted and why.",
        ),
        HouseRule(
            "measure-next",
            "Every diagnosis ends naming one of P99 ITL, block allocation rate, WAITING queue depth.",
            False,
            "One number tells whether the change worked. vLLM exports no block allocation rate: the change of "
            "vllm:kv_cache_usage_perc between scrapes stands for it.",
        ),
    )
}
"""The house rules by id."""
