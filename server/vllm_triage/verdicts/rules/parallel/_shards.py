"""What one rank holds of a weight matrix."""

from ....domain import FixStep
from ....facts.models import find
from ...context import Context, Needs
from ...ranks import Ranks
from ...rule import drop, put

__all__ = ["expert_shard", "need_scales", "resize"]


def expert_shard(ctx: Context) -> tuple[int, int] | None:
    """Inner size of one expert on one rank and the ranks that share it; None where experts stay whole.

    Without expert parallelism, ranks of data and prefill context parallelism share experts as well.
    """
    model = ctx.model
    if model is None or model.moe is None or model.moe.intermediate is None:
        return None
    ranks = ctx.tp * ctx.dp * ctx.whole("prefill_context_parallel_size", 1)
    if ranks <= 1 or ctx.arg("enable_expert_parallel") is True or model.moe.intermediate % ranks:
        return None
    return model.moe.intermediate // ranks, ranks


def need_scales(ctx: Context) -> None:
    """Raise :class:`Needs` where the checkpoint's groups, and the sizes they fit, are guessed from its name."""
    model = ctx.need_model()
    if model.source != "catalogue" or (model.quantization is not None and model.quantization.block is not None):
        return
    facts = find(ctx.deployment.model_id or "")
    if facts is not None and "quantization: read from the name" in facts.unverified:
        raise Needs("model")


def resize(ctx: Context, ranks: Ranks) -> tuple[FixStep, ...]:
    """The edits that bring a launch to these tensor and pipeline parallel sizes."""
    wanted = (("--tensor-parallel-size", ctx.tp, ranks[0]), ("--pipeline-parallel-size", ctx.pp, ranks[1]))
    return tuple(put(flag, size) if size > 1 else drop(flag) for flag, now, size in wanted if now != size)
