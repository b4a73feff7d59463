"""Caches whose pages differ in size, packed side by side in one block: DeepSeek-V4, and any mix in a block-outer layout.

A block belongs to one group at a time, so groups overlay each other: a block is as wide as the widest of them.
"""

from collections import Counter
from collections.abc import Sequence

from .kv_specs import CacheSpec, Latent, Ring, SlidingLatent, SlidingWindow, State

__all__ = ["pack_patterns", "pack_tuples", "widest_count"]

Members = list[int]
"""Indices of layers."""


def pack_tuples(layers: Sequence[CacheSpec], *, pads: bool) -> list[tuple[Members, list[CacheSpec]]]:
    """DeepSeek-V4 until 0.28: all whole latents in one group, windows over latents split to fit beside it.

    Args:
        layers: each layer's cache.
        pads: whether pages of windows grow to the next page size among the latents (until 0.26).
    """
    latents = [i for i, spec in enumerate(layers) if isinstance(spec, Latent)]
    windows: dict[tuple[int, int], Members] = {}
    for i, spec in enumerate(layers):
        if isinstance(spec, SlidingLatent):
            windows.setdefault((spec.block_size, spec.window), []).append(i)
    floor = widest_count([layers[i] for i in latents])
    size = least_padding([floor, *(widest_count([layers[i] for i in some]) for some in windows.values())], floor)
    pages = sorted({layers[i].page_bytes for i in latents})
    groups = [(latents, [layers[i] for i in latents])]
    for some in windows.values():
        grown = {layers[i]: fitted(layers[i], pages) for i in some} if pads else {}
        specs = {i: grown.get(layers[i], layers[i]) for i in some}
        groups += dealt(by_page(specs), specs, -(-widest_count(list(specs.values())) // size))
    return groups


def pack_patterns(layers: Sequence[CacheSpec], *, splits_windows: bool) -> list[tuple[Members, list[CacheSpec]]]:
    """Any mix in a block-outer layout, from 0.29.

    Layers of one kind that have one layer of each page size per repeat are a pattern; kinds are split into groups of
    equally many repeats. Recurrent states go where a block already has room for them.

    Args:
        layers: each layer's cache.
        splits_windows: whether rings always, and windows where there is no pattern, are split like recurrent states
            (from 0.30).
    """
    kinds: list[Members] = []
    for i, spec in enumerate(layers):
        for members in kinds:
            first = layers[members[0]]
            if first.block_size == spec.block_size and first.uniform_key() == spec.uniform_key():
                members.append(i)
                break
        else:
            kinds.append([i])
    pages = [by_page({i: layers[i] for i in members}) for members in kinds]
    balanced = [len(set(map(len, sizes.values()))) == 1 for sizes in pages]
    repeats = [max(map(len, sizes.values())) for sizes in pages]
    floor = max(
        (n for n, even, sizes in zip(repeats, balanced, pages, strict=True) if even and len(sizes) > 1), default=0
    )
    size = least_padding([n for n, even in zip(repeats, balanced, strict=True) if even], floor) if floor else None
    parts = [-(-n // size) if even and size else 1 for n, even in zip(repeats, balanced, strict=True)]

    def floats(members: Members) -> bool:
        first = layers[members[0]]
        if isinstance(first, State):
            return True
        return splits_windows and (isinstance(first, Ring) or (size is None and isinstance(first, SlidingWindow)))

    anchor = max(
        widest_bytes(sizes, len(members) if floats(members) else count)
        for members, sizes, count in zip(kinds, pages, parts, strict=True)
    )
    groups: list[tuple[Members, list[CacheSpec]]] = []
    for members, sizes, planned in zip(kinds, pages, parts, strict=True):
        count = planned
        if floats(members):
            room = max(anchor // layers[members[0]].page_bytes, 1)
            count = max(planned, -(-len(members) // room))
        specs = {i: layers[i] for i in members}
        groups += [(members, list(specs.values()))] if count == 1 else dealt(sizes, specs, count)
    return groups


def by_page(specs: dict[int, CacheSpec]) -> dict[int, Members]:
    """Layers by the size of their page."""
    found: dict[int, Members] = {}
    for i, spec in specs.items():
        found.setdefault(spec.page_bytes, []).append(i)
    return found


def dealt(pages: dict[int, Members], specs: dict[int, CacheSpec], count: int) -> list[tuple[Members, list[CacheSpec]]]:
    """Repeats of a pattern dealt out over `count` groups."""
    repeats = list(zip(*pages.values(), strict=False))
    groups = []
    for i in range(count):
        members = [member for repeat in repeats[i::count] for member in repeat]
        groups.append((members, [specs[member] for member in members]))
    return groups


def widest_count(specs: Sequence[CacheSpec]) -> int:
    """Layers that share the commonest page size."""
    return max(Counter(spec.page_bytes for spec in specs).values(), default=0)


def widest_bytes(pages: dict[int, Members], count: int) -> int:
    """Bytes of the largest of the groups a kind splits into."""
    return sum(-(-len(members) // count) * page for page, members in pages.items())


def fitted(spec: CacheSpec, pages: Sequence[int]) -> CacheSpec:
    """The cache in the smallest of `pages` that holds it."""
    page = min(size for size in pages if size >= spec.page_bytes)
    return spec if page == spec.page_bytes else spec.padded_to(page)


def least_padding(values: Sequence[int], floor: int) -> int:
    """The size from `floor` on to which all `values` round up with least padding; the larger of two equals."""
    best = max(floor, 1)
    least: int | None = None
    for size in range(best, max(values) + 1):
        padding = sum(-value % size for value in values)
        if least is None or padding <= least:
            least, best = padding, size
    return best
