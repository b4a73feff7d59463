"""Where one GPU's memory goes and how much of it holds KV cache: measured where a log says, predicted otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..domain import (
    BYTES_PER_GIB,
    Budget,
    CacheGroup,
    Capacity,
    Deployment,
    Interval,
    MemoryBudget,
    ModelShape,
    Pool,
    PoolReading,
)
from ..facts.versions import number
from .kv_groups import Group, Ungroupable
from .kv_layout import Layout, as_int, bytes_per_token, layout, request_of, stages_of
from .kv_plan import Plan, plan_stages
from .kv_specs import Request, State
from .weights import weight_bytes

__all__ = ["estimate"]


@dataclass(frozen=True, slots=True)
class Terms:
    """The predicted parts of one GPU's memory, GiB."""

    total: float
    usable: float
    weights: float
    activation: float
    non_torch: float
    cuda_graphs: float
    pool: Interval


def estimate(
    deployment: Deployment,
    pool: PoolReading | None = None,
    available_kv_gib: float | None = None,
    input_tokens: int | None = None,
    output_tokens: int | None = None,
) -> MemoryBudget:
    """Size the KV cache of one deployment.

    Args:
        deployment: what was configured.
        pool: what a startup log says; beats anything predicted.
        available_kv_gib: bytes vLLM had for KV per GPU, in GiB, where known.
        input_tokens: prompt length to answer capacity for.
        output_tokens: output length to answer capacity for.
    """
    shape = deployment.model
    if shape is None:
        return without_model(deployment, pool)
    laid = layout(deployment, shape)
    request = request_of(deployment, shape, laid.mamba_mode)
    assumptions: list[str] = []
    not_modelled: list[str] = []
    terms = predict(deployment, shape, assumptions, not_modelled)
    given = available(deployment, pool, available_kv_gib)
    planned: Plan | None = None
    source_gib = given if given is not None else (terms.pool.mid if terms else None)
    if source_gib is not None:
        try:
            planned = planned_pool(deployment, shape, laid, request, source_gib)
        except Ungroupable as error:
            not_modelled.append(str(error))
    measured = given is not None or (pool is not None and pool.tokens is not None)
    answer = Pool(
        blocks=first(pool and pool.blocks, planned and planned.blocks),
        tokens=first(pool and pool.tokens, planned and planned.tokens),
        max_concurrency=first(pool and pool.max_concurrency, planned and round(planned.max_concurrency, 4)),
        max_model_len=first(pool and pool.max_model_len, request.max_model_len),
        basis="measured" if measured else "predicted",
    )  # fmt: skip
    known = answer.blocks is not None or answer.tokens is not None
    return MemoryBudget(
        kv_bytes_per_token=bytes_per_token(shape, laid.cache_dtype, 1),
        kv_bytes_per_token_per_gpu=bytes_per_token(shape, laid.cache_dtype, laid.tensor_parallel),
        state_bytes_per_sequence=sum(spec.page_bytes for spec in laid.layers if isinstance(spec, State)),
        groups=tuple(as_noun(group) for group in planned.groups) if planned else (),
        budget=budget(terms, pool, source_gib if measured else None),
        pool=answer if known else None,
        capacity=capacity(planned, request, input_tokens, output_tokens),
        assumptions=tuple(assumptions),
        not_modelled=tuple(not_modelled),
    )


def as_noun(group: Group) -> CacheGroup:
    """A planner group as the noun that travels."""
    return CacheGroup(kind=group.kind, layers=len(group.members), block_tokens=group.spec.block_size, page_bytes=group.spec.page_bytes)


def first(*values: float | int | None) -> int | None:
    """The first value that is known."""
    return next((value for value in values if value is not None), None)  # type: ignore[return-value]


def without_model(deployment: Deployment, pool: PoolReading | None) -> MemoryBudget:
    """What can be said when the model is not known: only what a log printed."""
    name = deployment.model_id or "the model"
    answer = None
    if pool is not None and (pool.tokens is not None or pool.blocks is not None):
        answer = Pool(blocks=pool.blocks, tokens=pool.tokens, max_concurrency=pool.max_concurrency, max_model_len=pool.max_model_len, basis="measured")
    return MemoryBudget(kv_bytes_per_token=None, kv_bytes_per_token_per_gpu=None, budget=budget(None, pool, None), pool=answer,
                        not_modelled=(f"{name} is not in the catalogue: paste its config.json as model_config",))  # fmt: skip


def available(deployment: Deployment, pool: PoolReading | None, given: float | None) -> float | None:
    """GiB for KV per GPU where known: given, printed by a log, or pinned by ``--kv-cache-memory-bytes``."""
    if given is not None:
        return given
    if pool is not None and pool.available_kv_gib is not None:
        return pool.available_kv_gib
    pinned = deployment.setting("kv_cache_memory_bytes")
    if isinstance(pinned, int) and pinned > 0:
        return pinned / BYTES_PER_GIB
    return None


def planned_pool(deployment: Deployment, shape: ModelShape, laid: Layout, request: Request, gib: float) -> Plan:
    """The plan for `gib` of KV memory on every rank."""
    pp = as_int(deployment.setting("pipeline_parallel_size"), 1)
    stages = stages_of(shape.layers, laid.places, pp)
    override = deployment.args.get("num_gpu_blocks_override")
    return plan_stages(
        laid.layers, stages, [round(gib * BYTES_PER_GIB)] * pp, request, deployment.version,
        hybrid_manager=deployment.setting("disable_hybrid_kv_cache_manager") is not True,
        blocks_override=override if isinstance(override, int) else None,
    )  # fmt: skip


def predict(deployment: Deployment, shape: ModelShape, assumptions: list[str], not_modelled: list[str]) -> Terms | None:
    """The memory terms of one GPU from configuration alone; None where they cannot be known."""
    gpu = deployment.gpu
    if gpu is None or gpu.vendor == "cpu" or gpu.torch_total_gib is None:
        not_modelled.append("the device's memory is not known: no budget is computed from it")
        return None
    tp = as_int(deployment.setting("tensor_parallel_size"), 1)
    pp = as_int(deployment.setting("pipeline_parallel_size"), 1)
    weights = weight_bytes(shape, tp, pp)
    if weights is None:
        not_modelled.append("the size of the weights is not known")
        return None
    utilization = deployment.setting("gpu_memory_utilization")
    usable = gpu.torch_total_gib * float(utilization if isinstance(utilization, int | float) else 0.9)
    release = number(deployment.version)
    activation = 2.0 if release >= (0, 17, 0) else 5.0
    non_torch = (2.1 if tp > 1 else 0.25 if release >= (0, 18, 0) else 0.13)
    graphs = 0.0 if deployment.args.get("enforce_eager") is True else 1.0
    subtracted = graphs if release >= (0, 20, 0) else 0.0
    left = usable - weights / BYTES_PER_GIB - activation - non_torch - subtracted
    spread = 0.4 * activation + 0.3
    assumptions.append("weights, activation and CUDA graphs are predicted, not read from a log")
    return Terms(gpu.torch_total_gib, usable, weights / BYTES_PER_GIB, activation, non_torch, graphs,
                 Interval(low=left - spread, mid=left, high=left + spread))  # fmt: skip


def budget(terms: Terms | None, pool: PoolReading | None, measured: float | None) -> Budget:
    """The budget with what a log printed in place of what was predicted."""
    read = pool or PoolReading()
    interval = terms.pool if terms else None
    if measured is not None:
        interval = Interval(low=measured, mid=measured, high=measured)
    return Budget(
        total_gib=read.total_gib if read.total_gib is not None else terms and terms.total,
        usable_gib=terms and round(terms.usable, 3),
        weights_gib=read.weights_gib if read.weights_gib is not None else terms and round(terms.weights, 3),
        activation_gib=read.activation_gib if read.activation_gib is not None else terms and terms.activation,
        non_torch_gib=read.non_torch_gib if read.non_torch_gib is not None else terms and terms.non_torch,
        cuda_graph_gib=read.cuda_graph_gib if read.cuda_graph_gib is not None else terms and terms.cuda_graphs,
        kv_pool_gib=interval,
    )


def capacity(planned: Plan | None, request: Request, input_tokens: int | None, output_tokens: int | None) -> Capacity | None:
    """How many requests of this shape the pool holds at once, at the end of their output."""
    if planned is None or not planned.blocks or (input_tokens is None and output_tokens is None):
        return None
    length = max((input_tokens or 0) + (output_tokens or 0), 1)
    each = sum(group.spec.blocks(request.of_length(length)) for group in planned.groups)
    return Capacity(input_tokens=input_tokens or 0, output_tokens=output_tokens or 0, requests=round((planned.blocks - 1) / max(each, 1), 2))


Settings = Mapping[str, object]
