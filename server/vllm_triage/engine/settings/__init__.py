"""Every engine setting as one release resolves it for one device, model and usage.

Each setting carries its origin and, in a few words, the rule that gave it. What depends on an unknown device or model is None
with origin ``assumed``: nothing is guessed.
"""

from collections.abc import Mapping

from ...domain import Accelerator, Json, ModelShape, Setting
from ...facts.versions import number
from .batching import chunked_prefill, prefix_caching, token_budget_and_seats
from .case import Case

__all__ = ["resolve"]


def resolve(
    args: Mapping[str, Json],
    version: str,
    gpu: Accelerator | None,
    gpu_count: int | None = None,
    model: ModelShape | None = None,
    usage: str = "server",
    env: Mapping[str, str] | None = None,
    draft: ModelShape | None = None,
) -> dict[str, Setting]:
    """The settings of one launch.

    Args:
        args: the values given, by parser destination (``max_num_seqs``).
        version: a vLLM version text.
        gpu: the device, None when not known.
        gpu_count: how many devices the machine has, where known.
        model: the model's shape, None when not known.
        usage: ``server`` (``vllm serve`` and ``api_server``) or ``llm`` (the offline ``LLM`` class).
        env: the environment variables of the launch.
        draft: the draft model's shape, where one is used and known.
    """
    case = Case(args, number(version), gpu, gpu_count, model, draft, usage, env or {})
    case.take("gpu_memory_utilization", 0.92 if case.release >= (0, 20, 0) else 0.9, "0.92 since 0.20, 0.9 before")
    for name in ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size"):
        case.take(name, 1)
    given = case.given("max_model_len")
    derived = None if model is None else model.derived_max_model_len
    if given is not None:
        case.put("max_model_len", given, "given")
    elif derived is not None:
        case.put("max_model_len", derived, "derived", "from the model's config")
    else:
        case.put("max_model_len", None, "assumed", "derived from the model's config, which is not known")
    chunked_prefill(case)
    prefix_caching(case)
    token_budget_and_seats(case)
    case.take("long_prefill_token_threshold", 0, "0: no cap on one prompt's share of a step")
    case.take("scheduling_policy", "fcfs")
    case.take("block_size", 16)
    case.take("kv_cache_dtype", "auto")
    case.take("kv_cache_memory_bytes", None)
    case.take("speculative_config", None)
    case.take("async_scheduling", case.release >= (0, 14, 0))
    return case.out
