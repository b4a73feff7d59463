"""Token budget, seats, chunked prefill and prefix caching.

Source: ``EngineArgs.get_batch_defaults`` and ``_set_default_*`` (engine/arg_utils.py),
``is_chunked_prefill_supported`` and ``is_prefix_caching_supported`` (config/model.py),
``_set_max_num_scheduled_tokens`` (config/vllm.py).
"""


from typing import NamedTuple

from ...domain import Accelerator
from ...facts import gpus
from .case import UNKNOWN_GPU, UNKNOWN_MODEL, Case
from .drafting import Drafting

__all__ = [
    "chunked_prefill",
    "latent_attention_on_cpu",
    "prefix_caching",
    "scheduled_tokens",
    "scheduler_policy",
    "token_budget_and_seats",
]


class Tier(NamedTuple):
    """Batch defaults of one class of device."""

    llm_tokens: int
    server_tokens: int
    llm_seqs: int
    server_seqs: int
    why: str


LARGEST = Tier(16384, 16384, 1024, 1024, "0.28 on: devices with 160 GiB or more")
LARGE = Tier(16384, 8192, 1024, 1024, "devices with 70 GiB or more, A100 excepted by name")
LARGE_ANY = Tier(16384, 8192, 1024, 1024, "0.8: devices with 70 GiB or more")
SMALL = Tier(8192, 2048, 256, 256, "devices under 70 GiB, and every A100")
SMALL_GB10 = Tier(8192, 2048, 256, 256, "0.33 on: GB10 is kept on the small tier")
TPU = {
    "TPU v6e": Tier(2048, 1024, 256, 256, "TPU table, v6e"),
    "TPU v5e": Tier(1024, 512, 256, 256, "TPU table, v5e"),
    "TPU v5p": Tier(512, 256, 256, 256, "TPU table, v5p"),
}
BATCHED_EXPERTS = 256
"""Token budget where experts run in fixed batches (``DEFAULT_MAX_NUM_BATCHED_TOKENS_FOR_BATCHED_DP``)."""


def chunked_prefill(case: Case) -> None:
    """On for generation unless the model is an encoder-decoder; off for models that pool over the whole prompt."""
    name, model, given = "enable_chunked_prefill", case.model, case.given("enable_chunked_prefill")
    if model is not None and model.is_encoder_decoder:
        case.put(name, False, "derived", "encoder-decoder models run without chunked prefill")
    elif _runs_v0(case) and given is None:
        _v0_chunked_prefill(case)
    elif given is False and case.release < (0, 10, 0) and not _runs_v0(case) and not _pools(case):
        case.put(name, True, "derived", "the V1 engine of this release always chunks")
    elif given is not None:
        case.put(name, given, "given")
    elif model is None:
        case.put(name, True, "assumed", "on by default for decoder models; the model is not known")
    elif _encodes_only(case):
        case.put(name, False, "default", "off by default for bidirectional models")
    else:
        case.put(name, True, "default", "on by default for decoder models since the V1 engine")


def _runs_v0(case: Case) -> bool:
    """True where the V0 engine runs: before 0.8, and by ``VLLM_USE_V1=0`` as long as there was one."""
    return case.release < (0, 8, 0) or (case.release < (0, 11, 0) and case.env.get("VLLM_USE_V1") == "0")


def _v0_chunked_prefill(case: Case) -> None:
    length = case.number("max_model_len")
    if length is None:
        case.put(
            "enable_chunked_prefill", None, "assumed", f"V0 engine: on when max_model_len is over 32K; {UNKNOWN_MODEL}"
        )
    else:
        case.put(
            "enable_chunked_prefill", length > 32768, "default", "V0 engine: on only when max_model_len is over 32K"
        )


def prefix_caching(case: Case) -> None:
    """On for decoders; for hybrid (recurrent) models from 0.28, and before 0.15 only where the model supports it."""
    name, model, given = "enable_prefix_caching", case.model, case.given("enable_prefix_caching")
    if model is None:
        if given is not None:
            case.put(name, given, "given")
        else:
            on = not _runs_v0(case)
            case.put(name, on, "assumed", "on by default for decoder models on the V1 engine; the model is not known")
        return
    recurrent = model.is_hybrid or _attention_free(case)
    if model.is_encoder_decoder:
        case.put(name, False, "derived", "encoder-decoder models run without prefix caching")
    elif recurrent and case.release < (0, 11, 0):
        case.put(name, False, "derived", "recurrent models run without prefix caching before 0.11")
    elif recurrent and given and case.release < (0, 15, 0) and model.architecture not in STATE_CACHING:
        case.put(name, False, "derived", "this recurrent model does not support prefix caching before 0.15")
    elif model.architecture == "UnlimitedOCRForCausalLM" and case.release >= (0, 25, 0):
        case.put(name, False, "derived", "turned off for this architecture: its decode KV cannot be reused")
    elif given is not None:
        case.put(name, given, "given")
    elif _runs_v0(case):
        case.put(name, False, "default", "off by default on the V0 engine")
    elif _encodes_only(case):
        case.put(name, False, "default", "off by default for bidirectional models")
    elif _attention_free(case):
        case.put(name, False, "default", "off by default for models without attention")
    elif model.is_hybrid and case.release < (0, 28, 0) and not (_pools(case) and case.release < (0, 26, 0)):
        case.put(name, False, "default", "off by default for hybrid (recurrent) models before 0.28")
    else:
        case.put(name, True, "default", "on by default for decoder models")


STATE_CACHING = frozenset({
    "BambaForCausalLM", "FalconH1ForCausalLM", "GraniteMoeHybridForCausalLM", "JambaForCausalLM", "Mamba2ForCausalLM",
    "MambaForCausalLM", "NemotronHForCausalLM", "Zamba2ForCausalLM",
})  # fmt: skip
"""Recurrent architectures whose state can be cached at every block (``SupportsMambaPrefixCaching``, 0.14 to 0.27)."""


def _pools(case: Case) -> bool:
    return case.given("runner") == "pooling" or (case.model is not None and case.model.is_pooling)


def _encodes_only(case: Case) -> bool:
    return case.model is not None and all(run.kind in ("encoder_only", "none") for run in case.model.runs)


def _attention_free(case: Case) -> bool:
    kinds = set() if case.model is None else {run.kind for run in case.model.runs}
    return bool(kinds & {"mamba", "linear"}) and not kinds - {"mamba", "linear", "none"}


def _tier(case: Case) -> Tier | None:
    """The row of vLLM's table this device falls in; None when its memory is not known."""
    gpu = case.gpu
    if gpu is None:
        return None
    if gpu.vendor == "cpu":
        return _cpu_tier(case)
    if gpu.name in TPU:
        return TPU[gpu.name]
    memory = _memory_gib(gpu)
    if memory is None:
        return None
    if memory >= 160 and case.release >= (0, 28, 0):
        return LARGEST
    if case.capability == (12, 1) and case.release >= (0, 33, 0):
        return SMALL_GB10
    if memory >= 70 and case.release < (0, 9, 0):
        return LARGE_ANY
    if memory >= 70 and "a100" not in (gpu.device_name or gpu.name).lower():
        return LARGE
    return SMALL


def _memory_gib(gpu: Accelerator) -> float | None:
    """Device memory for vLLM's bounds of 70 and 160 GiB. Where no driver figure is known, what the board is sold with
    tells as well: no such board is near a bound."""
    if gpu.memory_mib is not None:
        return gpu.memory_mib / 1024
    if gpu.torch_total_gib is not None:
        return gpu.torch_total_gib
    known = gpus.find(gpu.name)
    return None if known is None or known.marketing_gb is None else known.marketing_gb * 1e9 / 2**30


def _cpu_tier(case: Case) -> Tier:
    if case.release < (0, 10, 0):
        return Tier(4096, 2048, 128, 32, "CPU table before 0.10")
    world = case.whole_or("tensor_parallel_size", 1) * case.whole_or("pipeline_parallel_size", 1)
    return Tier(
        4096 * world, 2048 * world, 256 * world, 128 * world, "CPU table, times tensor x pipeline parallel size"
    )


def token_budget_and_seats(case: Case) -> None:
    """max_num_batched_tokens and max_num_seqs, in vLLM's order: each default is bounded by the other."""
    tokens, seqs = case.whole("max_num_batched_tokens"), case.whole("max_num_seqs")
    if _runs_v0(case):
        _v0_batching(case, tokens, seqs)
        return
    tier = _tier(case)
    budget, seats, said = tokens, seqs, ""
    if tier is not None:
        llm, factor = case.usage == "llm", 1
        said = tier.why
        if case.given("performance_mode") == "throughput" and case.release >= (0, 17, 0):
            factor, said = 2, f"{tier.why}; doubled by --performance-mode throughput"
        if tokens is None:
            budget = factor * (tier.llm_tokens if llm else tier.server_tokens)
        if seqs is None:
            seats = factor * (tier.llm_seqs if llm else tier.server_seqs)
    budget_why = said
    if tokens is None and _batched_experts(case):
        budget = BATCHED_EXPERTS * (2 if case.given("performance_mode") == "throughput" else 1)
        budget_why = "0.20 on: experts in fixed batches (this all2all backend with data parallelism)"
    if tokens is None:
        budget = _bounded_budget(case, budget, seats, budget_why)
    else:
        case.put("max_num_batched_tokens", tokens, "given")
    _seats(case, seqs, seats, budget, said)


def _bounded_budget(case: Case, budget: int | None, seats: int | None, why: str) -> int | None:
    """The default budget within what chunking and the seats allow."""
    name, length = "max_num_batched_tokens", case.number("max_model_len")
    if budget is None or (seats is None and length is None):
        case.put(name, None, "assumed", f"{UNKNOWN_GPU}: the default follows device memory and name")
        return None
    if length is None:
        note = f"{why}; never more than max_num_seqs x max_model_len, and {UNKNOWN_MODEL}"
        case.put(name, budget, "assumed", note)
        return budget
    origin = "default"
    if case.value("enable_chunked_prefill") is False and length > budget:
        budget, why, origin = length, "raised to max_model_len because chunked prefill is off", "derived"
    if seats is not None and seats * length < budget and case.release >= (0, 11, 0):
        budget, why, origin = seats * length, "lowered to max_num_seqs x max_model_len", "derived"
    case.put(name, budget, "derived" if origin == "derived" else "default", why)
    return budget


def _seats(case: Case, given: int | None, seats: int | None, budget: int | None, why: str) -> None:
    name = "max_num_seqs"
    if given is not None:
        case.put(name, given, "given")
    elif seats is None:
        case.put(name, None, "assumed", f"{UNKNOWN_GPU}: the default follows device memory and name")
    elif budget is not None and budget < seats and case.release >= (0, 10, 0):
        case.put(name, budget, "derived", "lowered to max_num_batched_tokens")
    else:
        case.put(name, seats, "default", why)
    model = case.model
    if model is not None and model.architecture == "DiffusionGemmaForBlockDiffusion" and case.release >= (0, 24, 0):
        resolved = case.number(name)
        if resolved is not None and resolved >= 128:
            case.put(name, 8, "derived", "block diffusion materialises whole canvases: 128 seats or more become 8")


def _v0_batching(case: Case, tokens: int | None, seqs: int | None) -> None:
    """V0 scheduler: 256 seats; 2048 tokens, or a whole prompt where prefill is not chunked."""
    case.put(
        "max_num_seqs",
        256 if seqs is None else seqs,
        "default" if seqs is None else "given",
        "V0 engine" if seqs is None else "",
    )
    length, chunked = case.number("max_model_len"), case.value("enable_chunked_prefill")
    if tokens is not None:
        case.put("max_num_batched_tokens", tokens, "given")
    elif chunked is True:
        case.put("max_num_batched_tokens", 2048, "default", "V0 engine, with chunked prefill")
    elif length is None:
        case.put("max_num_batched_tokens", None, "assumed", f"V0 engine: max(max_model_len, 2048); {UNKNOWN_MODEL}")
    else:
        case.put(
            "max_num_batched_tokens",
            max(length, 2048),
            "default",
            "V0 engine: max(max_model_len, 2048) without chunking",
        )


def _batched_experts(case: Case) -> bool:
    return (
        case.release >= (0, 20, 0)
        and case.given("all2all_backend") in ("deepep_low_latency", "nixl_ep")
        and case.given("enable_expert_parallel") is True
        and case.whole_or("data_parallel_size", 1) > 1
    )


def scheduled_tokens(case: Case, drafting: Drafting | None) -> None:
    """Tokens the scheduler may place in a step: below the budget where a draft model needs slots of its own."""
    name = "max_num_scheduled_tokens"
    given = case.whole(name)
    if given is not None:
        case.put(name, given, "given")
        return
    budget, seats = case.number("max_num_batched_tokens"), case.number("max_num_seqs")
    if drafting is None or case.release < (0, 17, 0):
        case.put(name, None, "default", "not set: the scheduler may place max_num_batched_tokens")
        return
    slots = drafting.slots_per_request
    if case.release >= (0, 28, 0) or slots == 0:
        case.put(name, budget, "derived", "max_num_batched_tokens: draft slots are counted request by request")
    elif budget is None or seats is None or slots is None:
        case.put(name, None, "assumed", "max_num_batched_tokens less draft slots x max_num_seqs, not all known")
    else:
        why = f"max_num_batched_tokens less {slots} draft slot(s) for each of max_num_seqs (0.17 to 0.27)"
        case.put(name, budget - slots * seats, "derived", why)


def latent_attention_on_cpu(case: Case) -> None:
    """A CPU runs MLA models whole prompt by whole prompt, whatever was asked (platforms/cpu.py, 0.9 on)."""
    if case.vendor != "cpu" or case.model is None or not case.model.uses_mla or case.release < (0, 9, 0):
        return
    if case.release >= (0, 29, 0) and (case.model.architecture or "").startswith("DeepseekV4"):
        return
    why = "a CPU runs MLA models on whole prompts" + (" (AMX machines excepted)" if case.release >= (0, 29, 0) else "")
    case.put("enable_chunked_prefill", False, "derived", why)
    if case.release >= (0, 28, 0):
        case.put("enable_prefix_caching", False, "derived", why)
    length = case.number("max_model_len")
    if length is not None:
        case.put("max_num_batched_tokens", max(length, 2048), "derived", f"max(max_model_len, 2048): {why}")


def scheduler_policy(case: Case) -> None:
    """What orders and admits requests."""
    case.take("scheduling_policy", "fcfs", "first come, first served")
    case.take("long_prefill_token_threshold", 0, "0: one prompt may take the whole budget")
    if case.has((0, 19, 0)):
        case.take(
            "scheduler_reserve_full_isl", True, "0.19 on: a request is admitted when its whole prompt fits the pool"
        )
    if case.has((0, 24, 0)):
        case.take("watermark", 0.0, "0: no share of the pool is kept free on admission")
    if case.has((0, 7, 0), (0, 27, 0)):
        case.take("max_num_partial_prefills", 1, "the V1 engine never had more")
    if case.has((0, 17, 0)):
        case.take("performance_mode", "balanced")
