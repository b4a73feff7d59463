"""How much KV cache one deployment has, and what its memory goes to: measured where a log says, predicted otherwise."""

from collections import deque
from math import floor

from ..domain import (
    Budget,
    CacheGroup,
    Deployment,
    Interval,
    MemoryBudget,
    Pool,
    PoolReading,
    Problem,
)
from .budget import Device, Terms, device_of, predict
from .capacity import capacity_of
from .capacity_notes import pinned_gib
from .kv_dtype import is_cpu
from .kv_groups import Group, UngroupableError
from .kv_plan import Plan
from .kv_specs import State
from .memory_notes import assumed, differences, unknowns
from .sizing import Sizing, sizing_of
from .startup import problems_of

__all__ = ["estimate"]

NOTHING_READ = PoolReading.model_construct()
"""A log that says nothing. All of it is defaults: made without the validator, whose making a start need not wait for."""

Question = tuple[PoolReading | None, float | None, int | None, int | None, int | None]
"""What is asked of a deployment: the arguments of :func:`estimate` but the first."""

_RECENT: deque[tuple[Deployment, Question, MemoryBudget]] = deque(maxlen=8)
"""The last answers: a session asks several tools about one launch, whose deployment is one object then."""


def estimate(
    deployment: Deployment,
    pool: PoolReading | None = None,
    available_kv_gib: float | None = None,
    input_tokens: int | None = None,
    output_tokens: int | None = None,
    concurrency: int | None = None,
) -> MemoryBudget:
    """Size the KV cache of one deployment.

    What was measured outranks what is predicted: blocks and tokens a log printed, then the GiB it printed, then GiB
    given, then ``--kv-cache-memory-bytes``, then the prediction from configuration alone.

    Args:
        deployment: what was configured.
        pool: what a startup log says.
        available_kv_gib: GiB per GPU vLLM had for KV, where known.
        input_tokens: prompt length to answer capacity for.
        output_tokens: output length to answer capacity for.
        concurrency: requests in flight to answer the longest prompt for.
    """
    question: Question = (pool, available_kv_gib, input_tokens, output_tokens, concurrency)
    for known, asked, answer in tuple(_RECENT):
        if known is deployment and asked == question:
            return answer
    answer = _estimate(deployment, *question)
    _RECENT.append((deployment, question, answer))
    return answer


def _estimate(
    deployment: Deployment,
    pool: PoolReading | None,
    available_kv_gib: float | None,
    input_tokens: int | None,
    output_tokens: int | None,
    concurrency: int | None,
) -> MemoryBudget:
    shape = deployment.model
    if shape is None:
        return _without_model(deployment, pool)
    device = device_of(deployment)
    terms = None if device is None else predict(deployment, shape, device)
    sizing = sizing_of(deployment, shape)
    measured = _measured_gib(pool, available_kv_gib)
    pinned = pinned_gib(deployment)
    gib = next((value for value in (measured, pinned) if value is not None), terms.pool.mid if terms else None)
    printed = measured is None and pool is not None and pool.tokens is not None  # blocks that hold them, not those predicted
    planned, refusal = _plan(sizing, None if printed else gib, pool)
    from_log = pool is not None and (
        pool.blocks is not None or pool.tokens is not None or pool.available_kv_gib is not None
    )
    basis_measured = from_log or available_kv_gib is not None
    capacity = capacity_of(planned, sizing, input_tokens, output_tokens, concurrency)
    notes = [*assumed(deployment, shape, sizing, terms), *differences(terms, pool)]
    if capacity is not None and deployment.setting("enable_prefix_caching") is True:
        notes.append(
            "prefix caching: requests that share a prefix take its blocks once, so more fit than counted; a prefix that no "
            "running request uses gives its blocks up when they are needed"
        )
    return MemoryBudget(
        kv_bytes_per_token=sizing.bytes_per_token(1),
        kv_bytes_per_token_per_gpu=sizing.bytes_per_token(sizing.layout.tensor_parallel),
        state_bytes_per_sequence=sum(spec.content_bytes for spec in sizing.layout.layers if isinstance(spec, State)),
        groups=tuple(_noun(group) for group in planned.groups) if planned else (),
        budget=_budget(terms, device, pool, gib if basis_measured else pinned),
        pool=_pool(planned, pool, sizing, measured=basis_measured),
        capacity=capacity,
        assumptions=tuple(notes),
        not_modelled=tuple(unknowns(deployment, sizing, device, terms, known=gib is not None and terms is None)),
        problems=(
            *_refused(refusal),
            *problems_of(deployment, pool, sizing=sizing, terms=terms, planned=planned, gib=gib),
        ),
    )


def _noun(group: Group) -> CacheGroup:
    """A planner group as the noun that travels."""
    return CacheGroup(
        kind=group.kind, layers=len(group.members), block_tokens=group.spec.block_size, page_bytes=group.spec.page_bytes
    )


def _measured_gib(pool: PoolReading | None, given: float | None) -> float | None:
    """GiB for KV per GPU, as given or as a log printed it."""
    return given if given is not None else None if pool is None else pool.available_kv_gib


def _plan(sizing: Sizing, gib: float | None, pool: PoolReading | None) -> tuple[Plan | None, str]:
    """The pool, and why there is none where this version cannot lay the caches out."""
    try:
        if pool is not None and pool.blocks is not None:
            return sizing.plan_blocks(pool.blocks), ""
        if gib is not None:
            return sizing.plan(gib), ""
        if pool is not None and pool.tokens is not None:
            return sizing.plan_tokens(pool.tokens), ""
        return sizing.plan(0.0) if not sizing.layout.layers else None, ""
    except UngroupableError as error:
        return None, str(error)


def _refused(reason: str) -> tuple[Problem, ...]:
    """The planner's refusal as a problem."""
    if not reason:
        return ()
    return (
        Problem(
            severity="error",
            message=f"this version cannot lay out the KV cache: {reason}",
            code="kv-layout",
            fix="use a newer vLLM, or drop what mixes these caches (the draft model, the KV dtype)",
        ),
    )


def _pool(planned: Plan | None, read: PoolReading | None, sizing: Sizing, *, measured: bool) -> Pool | None:
    """Blocks, tokens and concurrency: as a log printed them, else as planned."""
    read = read or NOTHING_READ
    blocks = read.blocks if read.blocks is not None else (None if planned is None else planned.blocks)
    tokens = read.tokens if read.tokens is not None else (None if planned is None else planned.tokens)
    if blocks is None and tokens is None:
        return None
    concurrency = read.max_concurrency
    if concurrency is None and planned is not None:
        concurrency = floor(planned.max_concurrency * 1e4 + 0.5) / 1e4
    planned_length = sizing.request.max_model_len if planned is None else planned.max_model_len
    length = read.max_model_len if read.max_model_len is not None else planned_length
    return Pool(
        blocks=blocks,
        tokens=tokens,
        max_concurrency=concurrency,
        max_model_len=length,
        largest_max_model_len=None if planned is None else sizing.largest_max_model_len(planned),
        basis="measured" if measured else "predicted",
    )


def _budget(terms: Terms | None, device: Device | None, read: PoolReading | None, known_gib: float | None) -> Budget:
    """The budget, with what a log printed in place of what was predicted."""
    read = read or NOTHING_READ
    interval = terms.pool if terms else None
    if interval is not None:
        interval = Interval(low=round(interval.low, 3), mid=round(interval.mid, 3), high=round(interval.high, 3))
    if known_gib is not None:
        interval = Interval(low=known_gib, mid=known_gib, high=known_gib)
    total = read.total_gib if read.total_gib is not None else None if device is None else device.total
    return Budget(
        total_gib=_rounded(total),
        usable_gib=_rounded(device.usable if device else None),
        weights_gib=_rounded(
            read.weights_gib if read.weights_gib is not None else None if terms is None else terms.weights.gib
        ),
        activation_gib=_rounded(
            read.activation_gib if read.activation_gib is not None else None if terms is None else terms.activation.gib
        ),
        non_torch_gib=_rounded(
            read.non_torch_gib if read.non_torch_gib is not None else None if terms is None else terms.non_torch.gib
        ),
        cuda_graph_gib=_rounded(
            read.cuda_graph_gib if read.cuda_graph_gib is not None else None if terms is None else terms.cuda_graphs.gib
        ),
        kv_pool_gib=interval,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _without_model(deployment: Deployment, pool: PoolReading | None) -> MemoryBudget:
    """What can be said when the model is not known: what a log printed, and the device."""
    name = deployment.model_id or "the model"
    answer = None
    if pool is not None and (pool.tokens is not None or pool.blocks is not None):
        answer = Pool(
            blocks=pool.blocks,
            tokens=pool.tokens,
            max_concurrency=pool.max_concurrency,
            max_model_len=pool.max_model_len,
            basis="measured",
        )
    device = None if is_cpu(deployment) else device_of(deployment)
    known = None if pool is None else pool.available_kv_gib
    return MemoryBudget(
        kv_bytes_per_token=None,
        kv_bytes_per_token_per_gpu=None,
        budget=_budget(None, device, pool, known),
        pool=answer,
        not_modelled=(f"the shape of {name} is not known: give its config.json as model_config",),
        problems=problems_of(deployment, pool, gib=known),
    )
