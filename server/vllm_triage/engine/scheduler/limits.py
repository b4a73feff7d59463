"""What the scheduler is configured with, and what a request brings."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["CannotSchedule", "Limits", "Policy", "Run", "Work"]

Policy = Literal["fcfs", "priority"]


class CannotSchedule(ValueError):
    """The request or the configuration is one that vLLM would refuse, or wait on for ever."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The scheduler's settings, all as the engine resolved them.

    Raises:
        CannotSchedule: for values vLLM's configuration refuses.
    """

    max_num_seqs: int
    """Requests that may run at once."""
    max_num_batched_tokens: int
    """Token budget of one step; at least `max_num_seqs`."""
    max_model_len: int
    """Longest request, prompt and output together."""
    num_blocks: int
    """KV blocks of the pool, the null block included (one that is never handed out). For a model whose layers keep
    different caches, the tokens the pool holds over `block_size` are an approximation: blocks that its window layers
    give back while a request goes on are averaged over all its tokens."""
    block_size: int = 16
    """Tokens per KV block."""
    long_prefill_token_threshold: int = 0
    """Most prompt tokens one request may take in a step; 0 is no limit."""
    enable_prefix_caching: bool = True
    enable_chunked_prefill: bool = True
    policy: Policy = "fcfs"
    async_scheduling: bool = False
    """Whether a step is scheduled before the outputs of the one before it are known."""
    reserve_full_prompt: bool = True
    """``--scheduler-reserve-full-isl``; without effect in releases that do not know it."""
    watermark: float = 0.0
    """Share of the blocks kept free when a waiting request is admitted beside others."""
    max_num_active_seqs: int | None = None
    """Most requests admitted into RUNNING, where lower than `max_num_seqs`."""
    adaptive_threshold: bool = False
    """Whether the long-prefill threshold is never below an equal share of the budget."""
    draft_tokens: int = 0
    """Speculative decoding: drafts each decoding request carries into a step; they take from the budget."""
    accepted_tokens: float = 0.0
    """Drafts accepted of those, on average. All requests advance alike, the KV slots of rejected drafts are not
    counted, and drafting starts with the first decode: with speculation the schedule is an approximation."""

    def __post_init__(self) -> None:
        for name in ("max_num_seqs", "max_num_batched_tokens", "max_model_len", "block_size"):
            if getattr(self, name) < 1:
                raise CannotSchedule(f"{name} is {getattr(self, name)}: it must be at least 1")
        if self.num_blocks < 2:
            raise CannotSchedule(f"num_blocks is {self.num_blocks}: one is the null block, so at least 2 are needed")
        if self.max_num_batched_tokens < self.max_num_seqs:
            raise CannotSchedule(
                f"max_num_batched_tokens ({self.max_num_batched_tokens}) is below max_num_seqs ({self.max_num_seqs})"
            )
        if not self.enable_chunked_prefill and self.max_num_batched_tokens < self.max_model_len:
            raise CannotSchedule(
                f"max_num_batched_tokens ({self.max_num_batched_tokens}) is below max_model_len "
                f"({self.max_model_len}) while chunked prefill is off"
            )
        if self.long_prefill_token_threshold < 0 or not 0 <= self.watermark < 1:
            raise CannotSchedule("long_prefill_token_threshold is not negative, and watermark is in [0, 1)")
        if self.max_num_active_seqs is not None and not 1 <= self.max_num_active_seqs <= self.max_num_seqs:
            raise CannotSchedule("max_num_active_seqs is at least 1 and at most max_num_seqs")
        if not 0 <= self.accepted_tokens <= min(self.draft_tokens, self.block_size - 1):
            raise CannotSchedule("accepted_tokens is at least 0, at most draft_tokens, and less than a block")

    @property
    def seats(self) -> int:
        """Requests that may be in RUNNING at once."""
        return self.max_num_seqs if self.max_num_active_seqs is None else self.max_num_active_seqs

    @property
    def watermark_blocks(self) -> int:
        """Blocks that stay free when a request is admitted beside others."""
        return int(self.watermark * self.num_blocks)


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens of one content: those from the end of the run before it up to `end` (exclusive) carry `label`.

    Two requests hold the same tokens as far as their runs agree in label and end, from the first run on.
    """

    label: int
    end: int


@dataclass(frozen=True, slots=True)
class Work:
    """What a request asks for."""

    prompt_tokens: int
    output_tokens: int
    """Tokens it generates before it ends."""
    priority: int = 0
    """Lower is served first; only the priority policy looks at it."""
    shared: tuple[Run, ...] = ()
    """The content at the beginning that other requests may hold too. Tokens past the last run are this request's own.
    It may reach into the output: another turn of a conversation begins with it."""
    loaded_tokens: int = 0
    """Prompt tokens whose KV is brought in from elsewhere when it is admitted, as on the decoding side of disaggregated
    prefill. The time of the transfer belongs to the arrival; after a preemption they are computed here."""
    overlaps: bool = True
    """Whether requests that share its output may be in the system together with it. False for the turns of a
    conversation, each of which arrives after the one before has ended; steps then need not stop at its full blocks."""
