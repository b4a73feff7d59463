"""Token budget, seats, chunked prefill and prefix caching.

Source: ``EngineArgs.get_batch_defaults``, ``_set_default_args`` (0.13 on ``_set_default_chunked_prefill_and_prefix_caching_args``,
``_set_default_max_num_seqs_and_batched_tokens_args``) in ``engine/arg_utils.py``.
"""

from dataclasses import dataclass

from .case import UNKNOWN_GPU, UNKNOWN_MODEL, Case

__all__ = ["chunked_prefill", "prefix_caching", "token_budget_and_seats"]


@dataclass(frozen=True, slots=True)
class Tier:
    """Batch defaults of one class of device."""

    llm_tokens: int
    server_tokens: int
    llm_seqs: int
    server_seqs: int
    why: str


BLACKWELL = Tier(16384, 16384, 1024, 1024, "0.28 on, devices with 160 GiB or more")
LARGE = Tier(16384, 8192, 1024, 1024, "devices with 70 GiB or more whose name does not hold A100")
SMALL = Tier(8192, 2048, 256, 256, "devices under 70 GiB, and every A100")
SMALL_GB10 = Tier(8192, 2048, 256, 256, "0.33 on, GB10 is kept on the small tier")


def chunked_prefill(case: Case) -> None:
    """On for generation unless the model is an encoder-decoder."""
    model = case.model
    given = case.given("enable_chunked_prefill")
    if model is not None and model.is_encoder_decoder:
        case.put("enable_chunked_prefill", False, "derived", "encoder-decoder models run without chunked prefill")
    elif given is not None:
        case.put("enable_chunked_prefill", given, "given")
    elif model is None:
        case.put("enable_chunked_prefill", True, "assumed", "on by default for decoder models; the model is not known")
    else:
        case.put("enable_chunked_prefill", True, "default", "on by default for decoder models since the V1 engine")


def prefix_caching(case: Case) -> None:
    """On for decoders; for hybrid (mamba) models only from 0.26."""
    model = case.model
    given = case.given("enable_prefix_caching")
    if model is not None and model.is_encoder_decoder:
        case.put("enable_prefix_caching", False, "derived", "encoder-decoder models run without prefix caching")
    elif given is not None:
        case.put("enable_prefix_caching", given, "given")
    elif model is None:
        case.put("enable_prefix_caching", True, "assumed", "on by default for decoder models; the model is not known")
    elif model.is_hybrid and case.release < (0, 26, 0):
        case.put("enable_prefix_caching", False, "default", "off by default for hybrid (mamba) models before 0.26")
    else:
        case.put("enable_prefix_caching", True, "default", "on by default for decoder models")


def _tier(case: Case) -> Tier | None:
    gpu = case.gpu
    if gpu is None:
        return None
    if gpu.vendor == "cpu":
        world = (case.number("tensor_parallel_size") or 1) * (case.number("pipeline_parallel_size") or 1)
        return Tier(4096 * world, 2048 * world, 256 * world, 128 * world, "CPU table, times tensor x pipeline parallel size")
    memory = gpu.memory_mib / 1024 if gpu.memory_mib is not None else gpu.torch_total_gib
    if memory is None:
        return None
    if memory >= 160 and case.release >= (0, 28, 0):
        return BLACKWELL
    if case.capability == (12, 1) and case.release >= (0, 33, 0):
        return SMALL_GB10
    if memory >= 70 and "a100" not in (gpu.device_name or gpu.name).lower():
        return LARGE
    return SMALL


def token_budget_and_seats(case: Case) -> None:
    """max_num_batched_tokens and max_num_seqs, in vLLM's order."""
    tier = _tier(case)
    tokens, seqs = case.whole("max_num_batched_tokens"), case.whole("max_num_seqs")
    if tokens is not None and seqs is not None:
        case.put("max_num_batched_tokens", tokens, "given")
        case.put("max_num_seqs", seqs, "given")
        return
    llm = case.usage == "llm"
    why_unknown = f"{UNKNOWN_GPU}: the default follows device memory and name"
    throughput = case.given("performance_mode") == "throughput"
    factor = 2 if throughput else 1
    budget, seats = tokens, seqs
    said = "" if tier is None else tier.why + ("; doubled by --performance-mode throughput" if throughput else "")
    if tier is not None:
        budget = tokens if tokens is not None else factor * (tier.llm_tokens if llm else tier.server_tokens)
        seats = seqs if seqs is not None else factor * (tier.llm_seqs if llm else tier.server_seqs)
    length = case.number("max_model_len")
    budget_why = said
    if tokens is None and budget is not None and seats is not None:
        if length is None:
            budget_why += "; capped by max_num_seqs x max_model_len, which is not known"
        else:
            if case.value("enable_chunked_prefill") is False and length > budget:
                budget, budget_why = length, "raised to max_model_len because chunked prefill is off"
            if seats * length < budget:
                budget, budget_why = seats * length, "lowered to max_num_seqs x max_model_len"
    if tokens is not None:
        case.put("max_num_batched_tokens", tokens, "given")
    elif budget is None or seats is None:
        case.put("max_num_batched_tokens", None, "assumed", why_unknown)
    else:
        origin = "default" if length is not None else "assumed"
        case.put("max_num_batched_tokens", budget, origin, budget_why if length is not None else f"{budget_why} ({UNKNOWN_MODEL})")
    if seqs is not None:
        case.put("max_num_seqs", seqs, "given")
    elif seats is None:
        case.put("max_num_seqs", None, "assumed", why_unknown)
    elif budget is not None and budget < seats:
        case.put("max_num_seqs", budget, "derived", "lowered to max_num_batched_tokens")
    else:
        case.put("max_num_seqs", seats, "default", said)
