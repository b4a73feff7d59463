"""Every engine setting as one release resolves it for one device, model and usage.

Each setting carries its origin and, in a few words, the rule that gave it. What depends on an unknown device or model
is None with origin ``assumed``: nothing is guessed.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from ...domain import Accelerator, Json, ModelShape, Setting
from ...facts.versions import number
from . import batching, caching, drafting, graphs, length, overlap, parallelism, precision
from .case import Case, setting
from .drafting import Drafting

__all__ = ["Resolution", "resolution", "resolve"]

Stage = Callable[[Case, Drafting | None], None]


def _alone(stage: Callable[[Case], None]) -> Stage:
    return lambda case, _: stage(case)


STAGES: tuple[Stage, ...] = (
    _alone(parallelism.parallel_sizes),
    _alone(length.max_model_len),
    _alone(batching.chunked_prefill),
    _alone(batching.token_budget_and_seats),
    _alone(batching.prefix_caching),
    _alone(batching.scheduler_policy),
    batching.scheduled_tokens,
    _alone(batching.latent_attention_on_cpu),
    _alone(parallelism.executor),
    _alone(precision.torch_dtype),
    _alone(precision.quantization),
    _alone(precision.kv_cache_dtype),
    drafting.speculative_config,
    _alone(caching.pool),
    caching.recurrent_state,
    caching.blocks,
    caching.hybrid_manager,
    overlap.model_runner,
    overlap.async_scheduling,
    graphs.cuda_graphs,
)
"""Groups of settings in the order they are resolved; a later one may read what an earlier one found."""


class Resolution(NamedTuple):
    """The settings of one launch, and what each would be were its flag not given."""

    settings: dict[str, Setting]
    case: Case

    def without(self, name: str) -> Setting:
        """The setting `name` as it would be without its own flag, everything else as it is."""
        if name in self.case.fallback:
            default, why = self.case.fallback[name]
            return setting(default, "default", why)
        args = {dest: value for dest, value in self.case.args.items() if dest != name}
        case = replace(self.case, args=args, out={}, fallback={})
        speculation = drafting.read_drafting(case)
        for stage in STAGES:
            stage(case, speculation)
            if name in case.out:
                break
        return setting(*case.out[name])


def resolution(
    args: Mapping[str, Json],
    version: str,
    gpu: Accelerator | None,
    gpu_count: int | None = None,
    model: ModelShape | None = None,
    *,
    usage: str = "server",
    env: Mapping[str, str] | None = None,
    draft: ModelShape | None = None,
) -> Resolution:
    """The settings of one launch with their defaults. Arguments and errors as :func:`resolve`."""
    case = Case(args, number(version), gpu, gpu_count, model, draft, usage, env or {})
    speculation = drafting.read_drafting(case)
    for stage in STAGES:
        stage(case, speculation)
    return Resolution({name: setting(*found) for name, found in case.out.items()}, case)


def resolve(
    args: Mapping[str, Json],
    version: str,
    gpu: Accelerator | None,
    gpu_count: int | None = None,
    model: ModelShape | None = None,
    *,
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
    return resolution(args, version, gpu, gpu_count, model, usage=usage, env=env, draft=draft).settings
