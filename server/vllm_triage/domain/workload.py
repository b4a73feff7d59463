"""The traffic a server is given: when requests come, and how long they are."""

from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from .base import Noun, Words

__all__ = ["Lengths", "TraceRow", "Workload"]


class Lengths(Noun):
    """Token counts of prompts or of outputs: their mean and how they spread.

    `spread` is for ``uniform`` the half width over the mean (0 to 1, as ``vllm bench --random-range-ratio``), for
    ``lognormal`` the standard deviation over the mean; without meaning for the others. ``empirical`` draws from `values`.
    """

    mean: float = Field(gt=0)
    shape: Literal["fixed", "uniform", "exponential", "lognormal", "empirical"] = "fixed"
    spread: float = Field(default=0.0, ge=0)
    values: tuple[int, ...] = ()


class TraceRow(NamedTuple):
    """One request of a recorded trace."""

    at_s: float
    """Seconds after the first."""
    input_tokens: int
    output_tokens: int
    blocks: tuple[int, ...] = ()
    """Names of the prompt's blocks of `Workload.trace_block_tokens` tokens, equal where the content is: a trace's hash ids."""


class Workload(Noun):
    """Traffic offered to the whole deployment (all replicas together).

    ``closed`` keeps `concurrency` requests in the system, ``open`` sends `request_rate` a second whatever happens,
    ``at_once`` sends all at the start, ``trace`` replays `trace`.
    """

    arrivals: Literal["closed", "open", "at_once", "trace"]
    concurrency: int | None = Field(default=None, ge=1)
    request_rate: float | None = Field(default=None, gt=0)
    """Requests (conversations, with several turns) per second."""
    burstiness: float = Field(default=1.0, gt=0)
    """Shape of the gamma-distributed gaps, as in ``vllm bench serve``: 1 is Poisson, below 1 is burstier."""
    input: Lengths = Lengths(mean=1024.0)
    """Prompt tokens, the shared prefix included; with several turns those each turn adds."""
    output: Lengths = Lengths(mean=256.0)
    shared_prefix_tokens: int = Field(default=0, ge=0)
    prefix_groups: int = Field(default=1, ge=1)
    """How many different shared prefixes there are; requests pick one evenly."""
    turns: int = Field(default=1, ge=1)
    think_s: float = Field(default=0.0, ge=0)
    """Seconds between an answer and the next turn."""
    requests: int | None = Field(default=None, ge=1)
    """How many are sent in all; None: as many as settle the figures."""
    seed: int = 0
    trace: tuple[TraceRow, ...] = ()
    trace_block_tokens: int = 512
    source: str = "given"
    """Where it was read: ``given``, ``measured``, ``vllm bench``, ``mooncake trace``, ..."""
    notes: Words = ()
    """What was assumed in reading it, and what was given and not used."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        needed = {
            "closed": ("concurrency", self.concurrency), "open": ("request_rate", self.request_rate),
            "at_once": ("requests", self.requests), "trace": ("trace", self.trace or None),
        }[self.arrivals]  # fmt: skip
        if needed[1] is None:
            raise ValueError(f"{self.arrivals} traffic needs {needed[0]}")
        return self
