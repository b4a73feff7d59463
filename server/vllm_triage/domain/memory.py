"""Where a GPU's memory goes, and how much of it holds KV cache."""

from typing import Literal

from .base import Noun, Words
from .deployment import Problem

__all__ = ["Budget", "CacheGroup", "Capacity", "Interval", "MemoryBudget", "Pool", "PoolReading"]


class Interval(Noun):
    """A quantity with honest bounds; low == mid == high when it was measured."""

    low: float
    mid: float
    high: float


class CacheGroup(Noun):
    """One KV-cache group as vLLM allocates it on one rank."""

    kind: str
    layers: int
    block_tokens: int
    page_bytes: int
    """Bytes of one block of one layer."""


class Budget(Noun):
    """Per-GPU memory in GiB. None where it cannot be known."""

    total_gib: float | None = None
    usable_gib: float | None = None
    weights_gib: float | None = None
    activation_gib: float | None = None
    non_torch_gib: float | None = None
    cuda_graph_gib: float | None = None
    kv_pool_gib: Interval | None = None


class Pool(Noun):
    """The KV pool of one engine replica (all its TP and PP ranks)."""

    blocks: int | None = None
    tokens: int | None = None
    """Tokens as this version's log prints them."""
    max_concurrency: float | None = None
    """Requests of `max_model_len` tokens that fit at once."""
    max_model_len: int | None = None
    largest_max_model_len: int | None = None
    """Longest ``--max-model-len`` the engine would start with, up to what the model itself allows."""
    basis: Literal["measured", "predicted"]


class PoolReading(Noun):
    """What a startup log (or cache_config_info) says of memory and the KV pool. GiB are per GPU."""

    tokens: int | None = None
    blocks: int | None = None
    block_size: int | None = None
    max_concurrency: float | None = None
    max_model_len: int | None = None
    available_kv_gib: float | None = None
    weights_gib: float | None = None
    activation_gib: float | None = None
    non_torch_gib: float | None = None
    cuda_graph_gib: float | None = None
    total_gib: float | None = None
    free_gib: float | None = None
    """Free device memory when the engine started."""
    error: str | None = None
    """First line of the failure, cleaned, at most 300 characters."""
    error_kind: str | None = None
    """``no_kv_memory`` | ``max_len_exceeds_kv`` | ``free_memory`` | ``oom_load`` | ``oom_profile`` | ``oom_graphs`` |
    ``oom_sampler`` | ``oom_serving`` (it had started) | ``oom`` (when is not told) | ``config`` | ``arguments``."""
    needed_kv_gib: float | None = None
    estimated_max_model_len: int | None = None
    source: str = "log"


class Capacity(Noun):
    """How many requests of one shape fit at once, and at what length that breaks."""

    input_tokens: int
    output_tokens: int
    requests: float
    longest_input_tokens: int | None = None
    """Longest prompt of a single request with this output, within the pool and ``max_model_len``."""
    concurrency: int | None = None
    """Requests in flight that were asked for."""
    longest_input_at_concurrency: int | None = None
    """Longest prompt with which so many fit at once; 0 when they do not with any."""
    limit: Literal["pool", "max_model_len"] | None = None
    """What a longer prompt (of that many requests, else of one) breaks on first."""


class MemoryBudget(Noun):
    """The answer of the memory model."""

    kv_bytes_per_token: int | None
    """Growing part, whole model, one copy."""
    kv_bytes_per_token_per_gpu: int | None
    state_bytes_per_sequence: int = 0
    groups: tuple[CacheGroup, ...] = ()
    budget: Budget = Budget()
    pool: Pool | None = None
    capacity: Capacity | None = None
    assumptions: Words = ()
    not_modelled: Words = ()
    problems: tuple[Problem, ...] = ()
