"""Splitting a model's layers into KV-cache groups that share one block table, as each vLLM version does.

Every group of one plan uses pages of one size, so that any block can serve any group.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from ..facts.versions import number
from .kv_packing import pack_patterns, pack_tuples
from .kv_specs import CacheSpec, ChunkedLocal, FullAttention, Latent, SlidingLatent, SlidingWindow, State

__all__ = ["Group", "Rules", "UngroupableError", "group_layers", "rules"]


class UngroupableError(ValueError):
    """This version cannot put these layers into blocks of one size; the engine does not start."""


class Rules(NamedTuple):
    """What changed between versions in the planner. Each comment names the release it changed in."""

    padding_tolerance: float
    """Kinds whose counts differ by less than this factor are padded to the larger (1.25 from 0.12, 1.5 from 0.18)."""
    mixes_pages: bool
    """Layers of one kind with pages of different sizes share one group (from 0.11)."""
    unifies_pages: bool
    """Smaller pages are enlarged by whole factors (from 0.12); before, all pages had to be equal."""
    pads_attention: bool
    """Attention pages that do not divide the largest are padded (from 0.24)."""
    pads_state: bool
    """State pages are padded to the largest page (from 0.26)."""
    promotes_windows: bool
    """Falls back to allocating windows in full beside MLA (from 0.27)."""
    merges_similar: bool
    """Layers that differ only in an unused property share a group (from 0.27)."""
    strided_groups: bool
    """A kind's layers are dealt out over its groups instead of cut into slices (from 0.11)."""
    merges_latents: bool
    """Latent caches of one dtype share the first one's page whatever their own size (until 0.26)."""
    packing: Literal["none", "tuples", "slots", "slabs", "layout"]
    """How pages of different sizes lie in a block. For DeepSeek-V4 alone: as many tuples of all page sizes as the
    longest group has (from 0.20), as many slots of each size as a group needs (from 0.23), the widest group (from
    0.27). From 0.29 any mix, where the KV layout has the block outermost."""
    splits_windows: bool
    """In a block-outer layout, windows and rings are split to fit a block like recurrent states (from 0.30)."""
    checks_layers: bool
    """The one-request check adds up the layers as they are, before grouping (until 0.13)."""
    counts_all_groups: bool
    """The one-request check adds up all groups (from 0.19); before, it looked at the first only."""
    concurrency_from_tokens: bool
    """Concurrency is tokens over length (until 0.9.0), not blocks over blocks."""
    concurrency_in_bytes: bool
    """A group's share of a request is weighed by its bytes against the first group's (until 0.26)."""
    tokens_from_concurrency: bool
    """"GPU KV cache size" prints concurrency x max_model_len (from 0.20.1), not blocks // groups x block size."""
    reserves_null_block: bool
    """The one-request check leaves out the null block (from 0.29)."""


@lru_cache(maxsize=64)
def rules(version: str) -> Rules:
    """The planner's rules in one release."""
    release = number(version)
    return Rules(
        padding_tolerance=1.5 if release >= (0, 18, 0) else 1.25 if release >= (0, 12, 0) else 1.0,
        mixes_pages=release >= (0, 11, 0) or release < (0, 8, 0),
        unifies_pages=release >= (0, 12, 0),
        pads_attention=release >= (0, 24, 0),
        pads_state=release >= (0, 26, 0),
        promotes_windows=release >= (0, 27, 0),
        merges_similar=release >= (0, 27, 0),
        strided_groups=release >= (0, 11, 0),
        merges_latents=release < (0, 27, 0),
        packing="layout"
        if release >= (0, 29, 0)
        else "slabs"
        if release >= (0, 27, 0)
        else "slots"
        if release >= (0, 23, 0)
        else "tuples"
        if release >= (0, 20, 0)
        else "none",
        splits_windows=release >= (0, 30, 0),
        checks_layers=release < (0, 14, 0),
        counts_all_groups=release >= (0, 19, 0),
        concurrency_from_tokens=release < (0, 9, 1),
        concurrency_in_bytes=release < (0, 27, 0),
        tokens_from_concurrency=release >= (0, 20, 1),
        reserves_null_block=release >= (0, 29, 0),
    )


class _Members(NamedTuple):
    members: tuple[int, ...]
    specs: tuple[CacheSpec, ...]
    packed: bool = False
    """Its pages lie side by side and may differ in size."""


class Group(_Members):
    """Layers that share one block table: indices into the layer list, and their caches in that order."""

    @property
    def spec(self) -> CacheSpec:
        """The group's cache, by its first layer."""
        return self.specs[0]

    @cached_property
    def distinct(self) -> tuple[tuple[CacheSpec, int], ...]:
        """Each cache of the group once, with how many layers have it (layers of one run share the object)."""
        counts = Counter(map(id, self.specs))
        return tuple((spec, counts[number]) for number, spec in {id(spec): spec for spec in self.specs}.items())

    @cached_property
    def bytes_per_block(self) -> int:
        """Bytes one block takes over all of the group's layers."""
        return sum(spec.page_bytes * count for spec, count in self.distinct)

    @property
    def kind(self) -> str:
        """Class name of its cache."""
        return type(self.spec).__name__


def group_layers(
    layers: Sequence[CacheSpec], version: str, *, hybrid_manager: bool = True, block_outer: bool = False
) -> tuple[Group, ...]:
    """The groups of one model.

    Args:
        layers: each layer's cache, in model order.
        version: the vLLM release.
        hybrid_manager: False with ``--disable-hybrid-kv-cache-manager``: windows are allocated in full.
        block_outer: True where the KV layout has the block outermost.

    Raises:
        UngroupableError: this version cannot lay these caches out.
    """
    how = rules(version)
    if not hybrid_manager:
        layers = promote_windows(layers)
    if not layers:
        return ()
    sizes = {spec.page_bytes for spec in {id(spec): spec for spec in layers}.values()}
    if min(sizes) < 1:
        raise UngroupableError("a rank would hold nothing of a layer's cache: there are more ranks than it divides into")
    if how.merges_latents and _same_latents(layers):
        if len(sizes) > 1 and not how.unifies_pages:
            raise UngroupableError("this version needs latents of one size in all layers")
        return (Group(tuple(range(len(layers))), (layers[0],) * len(layers)),)
    if _uniform(layers) and (how.mixes_pages or len(sizes) == 1):
        return (Group(tuple(range(len(layers))), tuple(layers)),)
    if len(sizes) > 1 and (packed := _packed(layers, how, block_outer=block_outer)):
        return tuple(Group(tuple(members), tuple(specs), packed=True) for members, specs in packed)
    try:
        unified = _unify_pages(layers, how)
    except UngroupableError:
        promoted = _promoted_beside_latent(layers) if how.promotes_windows else None
        if promoted is None:
            raise
        return (Group(tuple(range(len(promoted))), tuple(promoted)),)
    return _split(unified, how)


def _packed(
    layers: Sequence[CacheSpec], how: Rules, *, block_outer: bool
) -> list[tuple[list[int], list[CacheSpec]]] | None:
    """The layers packed side by side, where this version does that for them."""
    if how.packing == "layout":
        return pack_patterns(layers, splits_windows=how.splits_windows) if block_outer else None
    if how.packing == "none" or not any(isinstance(spec, SlidingLatent) for spec in layers):
        return None
    return pack_tuples(layers, pads=how.packing != "slabs")


def _uniform(layers: Sequence[CacheSpec]) -> bool:
    """All layers need the same number of slots of the same block size."""
    first = layers[0]
    return all(
        spec is first or (spec.block_size == first.block_size and spec.uniform_key() == first.uniform_key())
        for spec in layers
    )


def _same_latents(layers: Sequence[CacheSpec]) -> bool:
    """All layers keep latents of one cache dtype."""
    first = layers[0]
    return isinstance(first, Latent) and all(
        isinstance(spec, Latent) and spec.cache_dtype == first.cache_dtype and spec.block_size == first.block_size
        for spec in layers
    )


def promote_windows(layers: Sequence[CacheSpec]) -> Sequence[CacheSpec]:
    """Windows and chunks beside full attention, allocated in full.

    Raises:
        UngroupableError: other kinds remain.
    """
    if not layers or _uniform(layers):
        return layers
    local = {spec.uniform_key() for spec in layers if isinstance(spec, SlidingWindow | ChunkedLocal)}
    if not any(isinstance(spec, FullAttention) for spec in layers) or len(local) > 1:
        raise UngroupableError(
            "the hybrid KV cache manager is off, but layers with different windows cannot share one group"
        )
    sizes = {spec.block_size for spec in layers if isinstance(spec, FullAttention)}
    block = sizes.pop() if len(sizes) == 1 else None
    promoted = [_as_full(spec, block) for spec in layers]
    if not _uniform(promoted):
        raise UngroupableError("the hybrid KV cache manager is off, but the layers cannot be converted to one kind")
    return promoted


def _as_full(spec: CacheSpec, block: int | None) -> CacheSpec:
    if isinstance(spec, SlidingLatent):
        return Latent(block or spec.block_size, spec.bytes_per_token, spec.padded)
    if isinstance(spec, SlidingWindow | ChunkedLocal):
        return FullAttention(block or spec.block_size, spec.bytes_per_token, spec.padded)
    return spec


def _promoted_beside_latent(layers: Sequence[CacheSpec]) -> Sequence[CacheSpec] | None:
    """The fallback for MLA beside an incompatible window (a draft model's), or None where it does not apply."""
    if any(isinstance(spec, SlidingLatent | ChunkedLocal) for spec in layers):
        return None
    if not any(isinstance(spec, Latent) for spec in layers) or not any(
        isinstance(spec, SlidingWindow) for spec in layers
    ):
        return None
    try:
        return promote_windows(layers)
    except UngroupableError:
        return None


def _unify_pages(layers: Sequence[CacheSpec], how: Rules) -> Sequence[CacheSpec]:
    """Pages of the largest size for all: by larger blocks where it divides, else padded where the version can."""
    largest = max(spec.page_bytes for spec in layers)
    if all(spec.page_bytes == largest for spec in layers):
        return layers
    if not how.unifies_pages:
        raise UngroupableError("this version needs pages of one size in all layers")
    changed: dict[CacheSpec, CacheSpec] = {}
    for spec in dict.fromkeys(layers):
        page = spec.page_bytes
        if page == largest:
            changed[spec] = spec
        elif isinstance(spec, State) and how.pads_state:
            changed[spec] = spec.padded_to(largest)
        elif largest % page == 0 and not isinstance(spec, State):
            changed[spec] = spec.resized(spec.block_size * (largest // page))
        elif how.pads_attention and not isinstance(spec, Latent | State):
            changed[spec] = spec.padded_to(largest)
        else:
            raise UngroupableError(
                f"a page of {page:,} bytes does not divide the largest, {largest:,}, and this version cannot pad it"
            )
    return [changed[spec] for spec in layers]


def _split(layers: Sequence[CacheSpec], how: Rules) -> tuple[Group, ...]:
    """Groups of one size: as many layers as the rarest kind has, or the commonest where that is hardly more."""
    same: dict[int, list[int]] = {}
    for index, spec in enumerate(layers):
        same.setdefault(id(spec), []).append(index)  # layers drawn together share the object: few are compared
    kinds: dict[CacheSpec, list[int]] = {}
    for members in same.values():
        kinds.setdefault(layers[members[0]], []).extend(members)
    if len(kinds) < len(same):
        kinds = {spec: sorted(members) for spec, members in kinds.items()}
    buckets = _merged(kinds) if how.merges_similar else list(kinds.values())
    fewest, most = min(map(len, buckets)), max(map(len, buckets))
    size = most if most < fewest * how.padding_tolerance else fewest
    groups = []
    for members in buckets:
        count = -(-len(members) // size)
        for i in range(count):
            part = members[i::count] if how.strided_groups else members[i * size : (i + 1) * size]
            groups.append(Group(tuple(part), tuple(layers[m] for m in part)))
    return tuple(groups)


def _merged(kinds: dict[CacheSpec, list[int]]) -> list[list[int]]:
    """Kinds that differ in nothing that sizes a block share a bucket."""
    buckets: dict[tuple[object, ...], list[int]] = {}
    for spec, members in kinds.items():
        key = (type(spec).__name__, spec.uniform_key(), spec.block_size, spec.bytes_per_token, spec.padded)
        buckets.setdefault(key, []).extend(members)
    return list(buckets.values())
