"""Over how many ranks a model divides, and on how many its weights fit: where every way out of a bad size leads."""

from collections.abc import Iterator
from math import ceil

from ..domain import BYTES_PER_GIB, Deployment, ModelShape, Setting
from ..engine.weights import weights_of
from ..facts.architectures import implements

__all__ = ["Ranks", "divides", "fitting", "holds_weights", "sizes"]

Ranks = tuple[int, int]
"""Tensor and pipeline parallel size."""

VOCAB_STEP = 64
"""Rows a vocabulary is padded to whole numbers of."""

MOST_RANKS = 1024
"""Ranks looked at where the number of heads is not known, whatever a launch asks for."""

ROOM = 0.95
"""Share of what vLLM may use that weights can take before nothing is left for a step and a pool."""


def divides(model: ModelShape, ranks: int) -> bool:
    """True when every rank gets whole heads, and an equal share of the MLP and the vocabulary.

    Query heads divide evenly; KV heads divide, or are copied evenly where ranks outnumber them (QKVParallelLinear in
    vllm/model_executor/layers/linear.py, 0.18.0 and 0.33.0). A latent (MLA) has no KV heads to divide. The vocabulary
    is padded to 64 first (VocabParallelEmbedding in vocab_parallel_embedding.py, 0.8.5 to 0.33.0).
    """
    if (model.q_heads or 0) % ranks or ceil((model.vocab or 0) / VOCAB_STEP) * VOCAB_STEP % ranks:
        return False
    if model.moe is None and (model.intermediate or 0) % ranks:
        return False
    heads = 0 if model.uses_mla else model.kv_heads
    return not heads or heads % ranks == 0 or ranks % heads == 0


def sizes(model: ModelShape, most: int) -> list[int]:
    """Tensor parallel sizes up to `most` that divide the model, ascending: none is larger than its number of heads."""
    return [ranks for ranks in range(1, min(most, model.q_heads or MOST_RANKS) + 1) if divides(model, ranks)]


def holds_weights(deployment: Deployment, tp: int, pp: int) -> bool | None:
    """True when the weights fit on `tp` x `pp` GPUs with something left; None where the sizes are not known."""
    gpu, share = deployment.gpu, deployment.setting("gpu_memory_utilization")
    if deployment.model is None or gpu is None or gpu.memory_mib is None or not isinstance(share, int | float):
        return None
    split = {"tensor_parallel_size": tp, "pipeline_parallel_size": pp}
    settings = {**deployment.settings, **{name: Setting(value=n, origin="derived") for name, n in split.items()}}
    each = weights_of(deployment.model_copy(update={"settings": settings}), deployment.model)
    return None if each is None else each.total / BYTES_PER_GIB <= ROOM * share * gpu.memory_mib / 1024


def fitting(deployment: Deployment, tp: int, pp: int = 1, most: int | None = None) -> Ranks:
    """The sizes nearest to `tp` x `pp` that divide the model and hold its weights.

    Fewer tensor-parallel ranks are tried first, then more, then pipeline stages, all within `most` GPUs (or, where
    their number is not known, within what was asked for). When nothing holds the weights, the largest size that divides.
    """
    model = deployment.model
    room = most or tp * pp
    if model is None:
        return tp, pp
    whole = [size for size in sizes(model, room) if size != tp]
    for size in _nearest(whole, tp):
        if size * pp <= room and holds_weights(deployment, size, pp) is not False:
            return size, pp
    if model.architecture is None or implements(model.architecture, deployment.version, "pipeline") is not False:
        for size, stages in _staged(whole, model, room):
            if holds_weights(deployment, size, stages):
                return size, stages
    return max((size for size in whole if size * pp <= room), default=1), pp


def _nearest(whole: list[int], tp: int) -> Iterator[int]:
    yield from reversed([size for size in whole if size < tp])
    yield from (size for size in whole if size > tp)


def _staged(whole: list[int], model: ModelShape, room: int) -> Iterator[Ranks]:
    """Splits with several stages, as few of them as the tensor parallel size allows."""
    for size in reversed(whole):
        for stages in range(2, min(room // size, model.layers) + 1):
            yield size, stages
