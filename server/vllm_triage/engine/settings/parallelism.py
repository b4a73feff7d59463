"""Tensor, pipeline, data and expert parallelism, and who runs the workers.

Source: ``ParallelConfig.__post_init__`` (config/parallel.py), ``check_and_update_config`` (platforms/cpu.py).
"""

import math

from .case import Case

__all__ = ["executor", "parallel_sizes"]

RANKS = ("tensor_parallel_size", "pipeline_parallel_size", "prefill_context_parallel_size")
"""The sizes whose product is the world of one engine."""


def parallel_sizes(case: Case) -> None:
    """The sizes as given, 1 each by default."""
    for name in (
        "tensor_parallel_size",
        "pipeline_parallel_size",
        "data_parallel_size",
        "decode_context_parallel_size",
    ):
        case.take(name, 1)
    case.take("enable_expert_parallel", False, "experts are sharded like any other weight, by tensor parallelism")


def executor(case: Case) -> None:
    """``mp`` for more than one rank, ``uni`` for one; a CPU runs its single rank in ``mp`` too from 0.20."""
    given = case.given("distributed_executor_backend")
    world = math.prod(case.whole_or(size, 1) for size in RANKS)
    cpu = case.vendor == "cpu"
    name = "distributed_executor_backend"
    if cpu and world > 1 and given not in (None, "mp") and case.release < (0, 20, 0):
        case.put(name, "mp", "derived", "a CPU with more than one rank runs in mp before 0.20")
    elif cpu and case.release >= (0, 20, 0) and (given == "uni" or (given is None and world == 1)):
        case.put(name, "mp", "derived", "a CPU runs its rank in mp from 0.20, so that OpenMP threads can be bound")
    elif given is not None:
        case.put(name, given, "given")
    elif world * (case.whole_or("data_parallel_size", 1) if case.release >= (0, 17, 0) else 1) > 1:
        ray = case.given("data_parallel_backend") == "ray"
        why = "data_parallel_backend is ray" if ray else "more than one rank and no Ray placement group"
        case.put(name, "ray" if ray else "mp", "default", why)
    elif world < 1:
        case.put(name, None, "derived", "no rank at all: a parallel size is not positive")
    else:
        case.put(name, "uni", "default", "one rank")
