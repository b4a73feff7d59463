"""Ways to lay a model over GPUs: the engines one machine can hold, and how often one is repeated."""

from collections.abc import Iterator
from dataclasses import dataclass

from ...domain import ModelShape
from ...facts.flags import table
from ..ranks import sizes
from .fleet import Fleet

__all__ = ["Engine", "Layout", "engines", "indivisible", "laid_out", "most_replicas"]

MOST_STAGES = 8


@dataclass(frozen=True, slots=True)
class Engine:
    """What serves a request: ranks that share the model. With `experts` the data-parallel ranks share its experts."""

    tp: int = 1
    pp: int = 1
    dp: int = 1
    experts: bool = False
    spans: bool = False
    """True when its pipeline stages lie on several machines."""

    @property
    def gpus(self) -> int:
        """GPUs of one engine."""
        return self.tp * self.pp * self.dp

    def __str__(self) -> str:
        parts = [f"TP{self.tp}"] if self.tp > 1 or self.gpus == 1 else []
        parts += [f"PP{self.pp}"] if self.pp > 1 else []
        parts += [f"DP{self.dp}"] if self.dp > 1 else []
        return " x ".join(parts) + (" + EP" if self.experts else "")


@dataclass(frozen=True, slots=True)
class Layout:
    """An engine, repeated: `dp` times within one launch, and that launch on `servers` ports or machines."""

    engine: Engine
    dp: int = 1
    servers: int = 1

    @property
    def replicas(self) -> int:
        """Engines in all."""
        return self.dp * self.servers

    @property
    def gpus(self) -> int:
        """GPUs in all."""
        return self.engine.gpus * self.replicas

    @property
    def args(self) -> dict[str, int | bool | str]:
        """Parser values of one launch; sizes of one are left out."""
        engine = self.engine
        every = {
            "tensor_parallel_size": engine.tp, "pipeline_parallel_size": engine.pp,
            "data_parallel_size": engine.dp * self.dp,
        }  # fmt: skip
        args: dict[str, int | bool | str] = {name: size for name, size in every.items() if size > 1}
        if engine.experts:
            args["enable_expert_parallel"] = True
        if engine.spans:
            args["distributed_executor_backend"] = "ray"
        return args

    def __str__(self) -> str:
        times = f"{self.dp} x " if self.dp > 1 else ""
        return (f"{self.servers} servers of " if self.servers > 1 else "") + times + str(self.engine)


def engines(model: ModelShape, fleet: Fleet, version: str) -> tuple[Engine, ...]:
    """The engines worth trying on one kind of GPU, small ones first.

    Tensor parallelism over every size that divides the model; pipeline stages where there is no fast link or no such
    size takes the whole machine; data-parallel attention over shared experts for a mixture of experts; stages over
    machines for what one machine does not hold.
    """
    known = table(version).by_dest
    found = [Engine(tp) for tp in sizes(model, fleet.node)]
    found += _staged(model, fleet)
    if model.moe is not None and {"enable_expert_parallel", "data_parallel_size"} <= known.keys():
        found += [Engine(dp=ranks, experts=True) for ranks in range(2, fleet.node + 1) if _even(model, ranks)]
    if fleet.nodes > 1:
        widest = max(engine.tp for engine in found if engine.pp == engine.dp == 1)
        found += [Engine(widest, nodes, spans=True) for nodes in range(2, min(fleet.nodes, MOST_STAGES) + 1)]
    return tuple(sorted(found, key=lambda engine: engine.gpus))


def _staged(model: ModelShape, fleet: Fleet) -> Iterator[Engine]:
    whole = sizes(model, fleet.node)
    for tp in whole:
        for pp in range(2, min(fleet.node // tp, MOST_STAGES, model.layers) + 1):
            without_link = not fleet.linked and tp <= 2 and pp & (pp - 1) == 0
            if without_link or (tp * pp == fleet.node and fleet.node not in whole):
                yield Engine(tp, pp)


def _even(model: ModelShape, ranks: int) -> bool:
    """True when the ranks hold the same number of experts, as the layers that route need without the load balancer."""
    return model.moe is not None and model.moe.experts % ranks == 0 and ranks & (ranks - 1) == 0


def indivisible(model: ModelShape, fleet: Fleet) -> str:
    """Why the usual sizes are not among the engines; empty when all are."""
    usual = [size for size in (2, 4, 8) if size <= fleet.node and size not in sizes(model, fleet.node)]
    if not usual:
        return ""
    named = ", ".join(f"TP{size}" for size in usual)
    kv = 0 if model.uses_mla else model.kv_heads
    parts = {
        f"{model.q_heads} attention heads": [model.q_heads % size for size in usual],
        f"{kv} KV heads": [kv and kv % size and size % kv for size in usual],
        f"an MLP of {model.intermediate}": [0 if model.moe else (model.intermediate or 0) % size for size in usual],
    }
    odd = " and ".join(part for part, rests in parts.items() if any(rests))
    return f"{named}: {odd} do not divide so"


def most_replicas(engine: Engine, fleet: Fleet) -> int:
    """How many such engines the GPUs hold; one never lies on two machines but by its stages."""
    if engine.spans:
        return fleet.nodes // engine.pp
    return fleet.node // engine.gpus * fleet.nodes + (fleet.count % fleet.node) // engine.gpus


def laid_out(engine: Engine, replicas: int, fleet: Fleet, model: ModelShape, version: str) -> Layout:
    """`replicas` engines as launches: data parallelism within a machine where each replica is a whole model.

    Engines of a mixture of experts in one data-parallel launch wait for each other in every step, so those are
    separate servers, as all are where the release has no ``--data-parallel-size``.
    """
    alone = model.moe is not None or engine.dp > 1 or "data_parallel_size" not in table(version).by_dest
    if alone or engine.spans:
        return Layout(engine, servers=replicas)
    room = fleet.node // engine.gpus
    dp = next(size for size in range(min(room, replicas), 0, -1) if replicas % size == 0)
    return Layout(engine, dp, replicas // dp)
