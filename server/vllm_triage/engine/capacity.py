"""How many requests of one shape a pool holds at once, and how long they may grow before it does not."""

from ..domain import Capacity
from .kv_groups import Group
from .kv_plan import Plan
from .kv_specs import Request
from .sizing import Sizing

__all__ = ["capacity_of", "longest_together"]


def capacity_of(
    planned: Plan | None, sizing: Sizing, input_tokens: int | None, output_tokens: int | None, concurrency: int | None
) -> Capacity | None:
    """Requests of this shape that fit at the end of their output, and the longest prompts that would.

    None without a pool, and where nothing was asked.

    Args:
        planned: the pool.
        sizing: the caches it was planned for.
        input_tokens: prompt length; where only `concurrency` is given, the longest that many may have.
        output_tokens: output length.
        concurrency: requests in flight.
    """
    if planned is None or not planned.groups or (input_tokens, output_tokens, concurrency) == (None, None, None):
        return None
    output, request = output_tokens or 0, sizing.request.of_length(planned.max_model_len)
    heard = max((run.window or 0 for run in sizing.shape.runs if run.kind == "cross"), default=0)
    if heard:  # a request keeps what the encoder gave it, not what the planner sets aside
        request = request._replace(encoder_tokens=min(heard, request.encoder_tokens))
    usable = max(planned.blocks - 1, 0)  # block 0 is the null block
    alone = longest_together(planned.groups, usable, request, 1)
    together = alone if concurrency is None else longest_together(planned.groups, usable, request, concurrency)
    if input_tokens is None and concurrency is not None:
        input_tokens = max(together - output, 0)
    each = held(planned.groups, request.of_length(max((input_tokens or 0) + output, 1)))
    return Capacity(
        input_tokens=input_tokens or 0,
        output_tokens=output,
        requests=round(usable / max(each, 1), 2),
        longest_input_tokens=max(alone - output, 0),
        concurrency=concurrency,
        longest_input_at_concurrency=None if concurrency is None else max(together - output, 0),
        limit="max_model_len" if together >= request.max_model_len else "pool",
    )


def longest_together(groups: tuple[Group, ...], usable: int, request: Request, count: int) -> int:
    """The longest `count` requests may be, all at once, prompt and output; 0 when they do not fit at any length.

    Args:
        groups: the pool's groups.
        usable: its blocks, without the null block.
        request: what bounds a request; its length is the longest tried.
        count: requests at once.
    """
    low, high = 0, request.max_model_len
    while low < high:
        middle = (low + high + 1) // 2
        if count * held(groups, request.of_length(middle)) <= usable:
            low = middle
        else:
            high = middle - 1
    return low


def held(groups: tuple[Group, ...], request: Request) -> int:
    """Blocks one request holds at its longest, over all groups."""
    return sum(group.spec.blocks(request) for group in groups)
