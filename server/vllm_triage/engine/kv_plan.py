"""From bytes to blocks: how many blocks a pool has, what the log prints of it, and whether one request fits.

The counterpart of vLLM's ``get_kv_cache_configs``; given the same bytes and caches the numbers are equal, not close.
"""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from .kv_groups import Group, Rules, group_layers, rules
from .kv_packing import by_page, widest_count
from .kv_specs import CacheSpec, Request

__all__ = ["Plan", "bytes_needed", "cut", "largest_length", "plan", "plan_stages"]


class Plan(NamedTuple):
    """The pool of one engine (all ranks hold the same number of blocks)."""

    groups: tuple[Group, ...]
    blocks: int
    bytes_per_block: int
    """On the widest rank."""
    tokens: int
    """What this version prints as "GPU KV cache size"."""
    max_concurrency: float
    needed_bytes: int
    """What one request of the maximum length needs, as this version checks it."""
    fits: bool
    """Whether the engine starts."""
    max_model_len: int
    """The longest request it was planned for."""

    @property
    def block_tokens(self) -> int:
        """Tokens in one block of the smallest-block group."""
        return min((group.spec.block_size for group in self.groups), default=0)


def plan(
    layers: Sequence[CacheSpec],
    available: int,
    request: Request,
    version: str,
    *,
    hybrid_manager: bool = True,
    block_outer: bool = False,
    blocks_override: int | None = None,
) -> Plan:
    """Plan one rank's pool of `available` bytes.

    Raises:
        UngroupableError: this version cannot lay these caches out.
    """
    return plan_stages(
        layers,
        (tuple(range(len(layers))),),
        (available,),
        request,
        version,
        groups=group_layers(layers, version, hybrid_manager=hybrid_manager, block_outer=block_outer),
        blocks_override=blocks_override,
    )


def plan_stages(
    layers: Sequence[CacheSpec],
    stages: Sequence[Sequence[int]],
    available: Sequence[int],
    request: Request,
    version: str,
    *,
    groups: tuple[Group, ...],
    blocks_override: int | None = None,
) -> Plan:
    """Plan a pool over pipeline stages; `stages` are each stage's layer indices, `available` its bytes for KV.

    Groups are made for the whole model and cut to each stage's layers; every stage then takes the smallest count.
    """
    how = rules(version)
    if not groups:
        return Plan((), 1, 0, 0, 0.0, 0, fits=True, max_model_len=request.max_model_len)
    blocks: int | None = None
    widest, fits, needed = 0, True, 0
    for stage, profiled in zip(stages, available, strict=True):
        local = groups if len(stages) == 1 else cut(groups, frozenset(stage))
        width = block_width(local, how)
        if width == 0:
            continue
        memory = effective_bytes(profiled, width, blocks_override, how)
        mine = max(memory // width, 0) if blocks_override is None else blocks_override
        blocks = mine if blocks is None else min(blocks, mine)
        stage_needs = bytes_needed(local, [layers[i] for i in stage], request, how)
        usable = memory - width if how.reserves_null_block else memory
        fits = fits and memory > 0 and stage_needs <= usable
        widest, needed = max(widest, width), max(needed, stage_needs)
    blocks = blocks or 0
    concurrency = concurrency_of(groups, blocks, request, how)
    return Plan(
        groups=groups,
        blocks=blocks,
        bytes_per_block=widest,
        tokens=printed_tokens(groups, blocks, concurrency, request, how),
        max_concurrency=concurrency,
        needed_bytes=needed,
        fits=fits,
        max_model_len=request.max_model_len,
    )


def effective_bytes(available: int, width: int, blocks_override: int | None, how: Rules) -> int:
    """Bytes the start check plans with: those of the overridden blocks, from 0.20.2 on."""
    return available if blocks_override is None or not how.tokens_from_concurrency else blocks_override * width


def cut(groups: tuple[Group, ...], stage: frozenset[int]) -> tuple[Group, ...]:
    """Each group with the layers of one pipeline stage only; its cache stays what it was."""
    local = []
    for group in groups:
        kept = [(m, s) for m, s in zip(group.members, group.specs, strict=True) if m in stage]
        local.append(Group(tuple(m for m, _ in kept), tuple(s for _, s in kept), packed=group.packed))
    return tuple(local)


def block_width(groups: Sequence[Group], how: Rules) -> int:
    """Bytes one block takes on this rank: the widest group's pages, side by side."""
    if how.packing in ("tuples", "slots") and any(group.packed for group in groups):
        if how.packing == "tuples":
            return tuple_bytes(groups[0]) * max(widest_count(group.specs) for group in groups)
        slots: dict[int, int] = {}
        for group in groups:
            for page, members in by_page(dict(enumerate(group.specs))).items():
                slots[page] = max(slots.get(page, 0), len(members))
        return sum(page * count for page, count in slots.items())
    return max((group.bytes_per_block for group in groups), default=0)


def tuple_bytes(group: Group) -> int:
    """One page of each size of a packed group."""
    return sum({spec.page_bytes for spec in group.specs})


def concurrency_of(groups: Sequence[Group], blocks: int, request: Request, how: Rules) -> float:
    """How many requests of the maximum length the blocks hold at once, as the version's log says it."""
    held = [group.spec.blocks(request) for group in groups]
    if how.concurrency_from_tokens:
        return blocks * groups[0].spec.block_size / request.max_model_len if request.max_model_len else 0.0
    per_request = sum(held)
    if how.concurrency_in_bytes and any(group.packed for group in groups):
        weighed = sum(count * group.bytes_per_block for count, group in zip(held, groups, strict=True))
        per_request = ceil(weighed / groups[0].bytes_per_block)
    return blocks / per_request if per_request else 0.0


def printed_tokens(groups: Sequence[Group], blocks: int, concurrency: float, request: Request, how: Rules) -> int:
    """The log's token count. For one full-attention group both meanings agree; for hybrids they do not."""
    if how.tokens_from_concurrency:
        return int(concurrency * request.max_model_len)
    return blocks // len(groups) * min(group.spec.block_size for group in groups) * request.context_shards


def bytes_needed(groups: Sequence[Group], layers: Sequence[CacheSpec], request: Request, how: Rules) -> int:
    """Bytes one request of the maximum length needs on this rank, as the version's start check counts them."""
    if how.checks_layers:
        return sum(spec.page_bytes * spec.blocks(request) for spec in layers)
    held = [group for group in groups if group.specs]
    if not held:
        return 0
    if len(groups) == 1:
        return sum(spec.page_bytes * spec.blocks(request) * count for spec, count in held[0].distinct)
    if any(group.packed for group in groups) and how.packing != "layout":
        tuples = max(widest_count(group.specs) for group in groups)
        return tuples * tuple_bytes(groups[0]) * sum(group.spec.blocks(request) for group in held)
    width = block_width(groups, how)
    if how.counts_all_groups:
        return width * sum(group.spec.blocks(request) for group in held)
    return width * held[0].spec.blocks(request)


def largest_length(
    groups: Sequence[Group],
    layers: Sequence[CacheSpec],
    available: int,
    request: Request,
    version: str,
    *,
    blocks_override: int | None = None,
) -> int:
    """The largest ``max_model_len`` up to the request's that one rank can start with; 0 when not even one token fits.

    Args:
        groups: this rank's groups.
        layers: this rank's caches.
        available: its bytes for KV.
        request: the longest request asked for.
        version: the vLLM release.
        blocks_override: ``--num-gpu-blocks-override``.
    """
    how = rules(version)
    width = block_width(groups, how)
    usable = effective_bytes(available, width, blocks_override, how) - (width if how.reserves_null_block else 0)
    low, high = 0, request.max_model_len
    while low < high:
        middle = (low + high + 1) // 2
        if bytes_needed(groups, layers, request.of_length(middle), how) <= usable:
            low = middle
        else:
            high = middle - 1
    return low
