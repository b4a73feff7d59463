"""A configuration as the command line that is shown, read back, sized and checked: what is printed is what was judged."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...domain import CompatReport, Deployment, Json, MemoryBudget
from ...engine.deployment import deploy
from ...engine.flag_readings import words_of
from ...engine.memory import estimate
from ..compat import check
from ..ranks import holds_weights
from .fleet import Fleet
from .layouts import Engine, Layout
from .variants import Variant, loads_whole_first

__all__ = ["PLANNED", "Launch", "Refused", "launch"]

PLANNED = frozenset({
    "model", "model_tag", "tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size",
    "data_parallel_size_local", "data_parallel_rank", "data_parallel_start_rank", "data_parallel_address",
    "data_parallel_rpc_port", "data_parallel_backend", "data_parallel_hybrid_lb", "data_parallel_external_lb",
    "decode_context_parallel_size", "prefill_context_parallel_size", "enable_expert_parallel", "nnodes", "node_rank",
    "master_addr", "master_port", "headless", "device_ids", "distributed_executor_backend",
})  # fmt: skip
"""Destinations the plan decides; all other flags of the user's launch are kept."""

OF_THE_HOST = frozenset({"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"})
"""Variables that name devices of the machine the user's launch was written for."""


@dataclass(frozen=True, slots=True)
class Launch:
    """One configuration that starts."""

    fleet: Fleet
    variant: Variant
    layout: Layout
    tuned: Mapping[str, Json] = field(hash=False)
    """Parser values the plan sets beside variant and layout."""
    text: str
    """The command line, in the release's own flags."""
    deployment: Deployment = field(hash=False)
    """`text`, read back."""
    memory: MemoryBudget = field(hash=False)
    report: CompatReport = field(hash=False)

    @property
    def gpus(self) -> int:
        """GPUs in all."""
        return self.layout.gpus

    @property
    def altered(self) -> int:
        """How far the numbers are from those of the checkpoint as it is."""
        return self.variant.altered + (1 if "kv_cache_dtype" in self.tuned else 0)


@dataclass(frozen=True, slots=True)
class Refused:
    """A configuration that does not start, and why."""

    engine: Engine
    precision: str
    gpu: str
    why: str
    rule: str = ""
    """The rule of check_compat that stops it; empty where memory does."""
    nearly: bool = False
    """True where the weights fit, and only the pool does not."""


def launch(
    base: Deployment, fleet: Fleet, variant: Variant, layout: Layout, tuned: Mapping[str, Json]
) -> Launch | Refused:
    """Write the command line, read it back, check it and size it.

    Args:
        base: the user's launch; its flags are kept but for those in :data:`PLANNED`.
        fleet: the GPUs it runs on.
        variant: precision of the weights.
        layout: engines and replicas.
        tuned: parser values to set besides.
    """
    what = (layout.engine, variant.name, fleet.gpu.name)
    kept = {dest: value for dest, value in base.args.items() if dest not in PLANNED}
    args = {**layout.args, **kept, **variant.args, **tuned}
    text = _text(base, variant.model, args)
    deployment = deploy(text, base.version, f"{fleet.node}x {fleet.gpu.name}", variant.config)
    if deployment.model is None or (variant.assumed and deployment.model.quantization is None):
        return Refused(*what, f"the shape of {variant.model} is not known")
    report = check(deployment)
    if not report.ok:
        worst = report.fatal()[0]
        return Refused(*what, worst.message, worst.rule)
    if variant.args.get("quantization") and loads_whole_first(base.version):
        plain = deployment.but(args={name: value for name, value in deployment.args.items() if name != "quantization"})
        if holds_weights(plain, layout.engine.tp, layout.engine.pp) is False:
            why = f"vLLM {base.version} loads the 16-bit weights before it quantizes them, and they do not fit"
            return Refused(*what, why)
    memory = estimate(deployment)
    if (unfit := _does_not_fit(memory, fleet)) is not None:
        budget = memory.budget
        return Refused(*what, unfit, nearly=(budget.weights_gib or 0.0) < (budget.usable_gib or 0.0))
    if (stops := report.stops()) is not None:
        return Refused(*what, stops.message, stops.rule)
    return Launch(fleet, variant, layout, dict(tuned), text, deployment, memory, report)


def _text(base: Deployment, model: str, args: Mapping[str, Json]) -> str:
    """``vllm serve`` with one flag after the other, as a person would type it."""
    words: list[str] = []
    for word in words_of(args, base.catalogue_version):
        flag, equals, value = word.partition("=")
        split = word.startswith("--") and equals and value and not value.startswith("-")
        words += [flag, value] if split else [word]
    env = [f"{reading.name}={shlex.quote(reading.value)}" for reading in base.env if reading.name not in OF_THE_HOST]
    return " ".join([*env, shlex.join(["vllm", "serve", model, *words])])


def _does_not_fit(memory: MemoryBudget, fleet: Fleet) -> str | None:
    """Why no request can be served in the memory there is; None when one can, or nothing is known."""
    budget, pool = memory.budget, memory.pool
    if pool is None or budget.weights_gib is None or budget.usable_gib is None:
        return None
    if pool.tokens and (pool.max_concurrency is None or pool.max_concurrency >= 1):
        return None
    if budget.weights_gib > budget.usable_gib:
        return f"weights {budget.weights_gib:.0f} GiB per GPU do not fit {budget.usable_gib:.0f} GiB usable of {fleet.gpu.name}"
    left = max(0.0, budget.kv_pool_gib.mid) if budget.kv_pool_gib is not None else 0.0
    return (
        f"weights {budget.weights_gib:.0f} GiB per GPU leave {left:.1f} GiB for the KV pool, less than one request of "
        f"{pool.max_model_len:,} tokens takes"
    )
