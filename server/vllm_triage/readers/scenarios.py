"""Scheduling scenarios: a pool, a scheduler's settings and the requests that arrive, one JSON object a line.

``{"id", "max_num_seqs", "max_num_batched_tokens", "max_model_len", "block_size", "num_blocks",
"long_prefill_token_threshold", "enable_prefix_caching", "enable_chunked_prefill", "policy", "async_scheduling",
"requests": [[arrival_step, prompt_tokens, output_tokens, priority, prefix_group, prefix_tokens], ...]}``

A request arrives just before the step of that number is scheduled, and not before the one listed ahead of it. Requests
of one prefix group begin with the same `prefix_tokens` tokens; all outputs are of the same tokens.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, cast

__all__ = ["BadScenario", "Scenario", "ScenarioRequest", "read_scenarios"]

_LARGEST = 10**9
"""Largest number read where nothing else is said: beyond any pool, budget or length."""

_MOST = {"block_size": 1 << 16, "arrival_step": 200_000, "prompt_tokens": 10**7, "output_tokens": 200_000}
"""Largest value of what costs memory or steps."""

_OPTIONAL = {
    "watermark": 0.0, "scheduler_reserve_full_isl": True, "max_num_active_seqs": None,
    "long_prefill_token_threshold_adaptive": False,
}  # fmt: skip
"""Settings that came with later releases, and what they are when they are not given."""


class BadScenario(ValueError):
    """A line that is not a scenario; says which line and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class ScenarioRequest:
    """One request of a scenario."""

    arrival_step: int
    prompt_tokens: int
    output_tokens: int
    priority: int = 0
    prefix_group: int = -1
    """Requests of one group begin alike; of none when negative and `prefix_tokens` is 0."""
    prefix_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Scenario:
    """One line: `given` is it as it stands there, for the answer to repeat."""

    id: str
    max_num_seqs: int
    max_num_batched_tokens: int
    max_model_len: int
    block_size: int
    num_blocks: int
    long_prefill_token_threshold: int
    enable_prefix_caching: bool
    enable_chunked_prefill: bool
    policy: Literal["fcfs", "priority"]
    async_scheduling: bool
    requests: tuple[ScenarioRequest, ...]
    watermark: float
    scheduler_reserve_full_isl: bool
    max_num_active_seqs: int | None
    long_prefill_token_threshold_adaptive: bool
    given: Mapping[str, Any]


def read_scenarios(text: str) -> Iterator[Scenario]:
    """The scenarios of a JSONL text, in order; blank lines are passed over.

    Raises:
        BadScenario: at the first line that is not one.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield _scenario(line)
            except BadScenario as error:
                raise BadScenario(f"line {number}: {error}") from None


def _scenario(line: str) -> Scenario:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadScenario(f"not JSON: {error}") from None
    if not isinstance(given, dict):
        raise BadScenario("not a JSON object")
    required = [field.name for field in fields(Scenario) if field.name not in ("given", *_OPTIONAL)]
    missing = [name for name in required if name not in given]
    if missing:
        raise BadScenario(f"{', '.join(missing)} missing")
    values: dict[str, Any] = {name: given.get(name, _OPTIONAL.get(name)) for name in (*required, *_OPTIONAL)}
    for name, value in values.items():
        if name != "requests":
            _check(name, value)
    requests = values["requests"]
    if not isinstance(requests, list):
        raise BadScenario("requests: expected a list")
    values["requests"] = tuple(_request(place, row) for place, row in enumerate(requests))
    values["id"] = str(values["id"])
    return Scenario(given=given, **values)


def _check(name: str, value: object) -> None:
    """Hold one setting to its type and range."""
    if name == "id":
        good, expected = isinstance(value, (str, int)), "a text"
    elif name == "policy":
        good, expected = value in ("fcfs", "priority"), '"fcfs" or "priority"'
    elif name.startswith(("enable_", "async_", "scheduler_reserve")) or name.endswith("_adaptive"):
        good, expected = isinstance(value, bool), "true or false"
    elif name == "watermark":
        good, expected = isinstance(value, (int, float)) and not isinstance(value, bool), "a number"
    elif name == "max_num_active_seqs" and value is None:
        return
    else:
        good, expected = _is_count(name, value), f"a whole number from 0 to {_MOST.get(name, _LARGEST):,}"
    if not good:
        raise BadScenario(f"{name}: expected {expected}, not {str(value)[:40]!a}")


def _request(place: int, row: object) -> ScenarioRequest:
    least, most = 3, len(fields(ScenarioRequest))
    if not isinstance(row, list) or not least <= len(row) <= most:
        raise BadScenario(f"requests[{place}]: expected a list of {least} to {most} numbers")
    for field, value in zip(fields(ScenarioRequest), row, strict=False):
        signed = field.name in ("priority", "prefix_group")
        if not _is_count(field.name, abs(value) if signed and isinstance(value, int) else value):
            most = _MOST.get(field.name, _LARGEST)
            expected = f"a whole number {'' if signed else 'from 0 '}to {most:,}"
            raise BadScenario(f"requests[{place}].{field.name}: expected {expected}, not {str(value)[:40]!a}")
    request = ScenarioRequest(*cast("list[int]", row))
    if request.prefix_tokens > request.prompt_tokens:
        raise BadScenario(f"requests[{place}].prefix_tokens: longer than the prompt")
    return request


def _is_count(name: str, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST.get(name, _LARGEST)
