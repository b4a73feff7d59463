"""Every engine setting as one release resolves it for one device, model and usage.

Each setting carries its origin and, in a few words, the rule that gave it. What depends on an unknown device or model is None
with origin ``assumed``: nothing is guessed.
"""

from collections.abc import Mapping

from ...domain import Accelerator, Json, ModelShape, Setting
from ...facts.versions import number
from . import batching, caching, drafting, graphs, length, overlap, parallelism, precision
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

    Raises:
        ValueError: when `version` is not a version.
    """
    case = Case(args, number(version), gpu, gpu_count, model, draft, usage, env or {})
    speculation = drafting.read_drafting(case)
    parallelism.parallel_sizes(case)
    parallelism.executor(case)
    precision.torch_dtype(case)
    precision.quantization(case)
    precision.kv_cache_dtype(case)
    length.max_model_len(case)
    drafting.speculative_config(case, speculation)
    batching.chunked_prefill(case)
    batching.prefix_caching(case)
    batching.token_budget_and_seats(case)
    batching.scheduled_tokens(case, speculation)
    batching.scheduler_policy(case)
    caching.pool(case)
    caching.recurrent_state(case, speculation)
    caching.blocks(case, speculation)
    caching.hybrid_manager(case, speculation)
    overlap.model_runner(case, speculation)
    overlap.async_scheduling(case, speculation)
    graphs.cuda_graphs(case, speculation)
    return case.out
