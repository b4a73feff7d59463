"""What the scheduler does differently from one vLLM release to the next: one table, each row with its evidence.

Everything the table does not name has been the same since :data:`OLDEST`, as far as one full-attention KV group without
speculation or KV transfer can tell.
"""

from dataclasses import dataclass, fields
from functools import lru_cache

from ...facts.versions import at_least
from .limits import CannotSchedule, Limits

__all__ = ["CHANGES", "OLDEST", "OPTIONS", "Change", "Rules", "UnknownScheduler", "refuse_unknown", "rules_for"]

OLDEST = "0.12.0"
"""First release whose scheduler is known here; before it a prompt over the budget was passed over instead of waited for."""


class UnknownScheduler(ValueError):
    """The release is older than :data:`OLDEST`, or not a version."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The decisions that depend on the release. A field is True from the release its :class:`Change` names."""

    reserve_full_prompt: bool
    blank_blocks_first: bool
    keep_place_after_any_victim: bool
    spare_the_only_request: bool
    go_on_after_own_preemption: bool


@dataclass(frozen=True, slots=True)
class Change:
    """One rule: the release it came with, what it says, and where to read it."""

    rule: str
    since: str
    says: str
    evidence: str


CHANGES: tuple[Change, ...] = (
    Change(
        "reserve_full_prompt",
        "0.19.0",
        "A waiting request is admitted only if the KV blocks of all its tokens fit, not just those of its first chunk "
        "(--scheduler-reserve-full-isl, on by default).",
        "0.19.0 v1/core/kv_cache_manager.py KVCacheManager.can_fit_full_sequence, called in "
        "v1/core/sched/scheduler.py Scheduler.schedule; since 0.21.0 allocate_slots(full_sequence_must_fit)",
    ),
    Change(
        "blank_blocks_first",
        "0.24.0",
        "A freed block that holds no cached prefix is the next to be used; before, it queued behind every cached "
        "block freed earlier, so that more of the prefix cache was evicted.",
        "0.24.0 v1/core/block_pool.py BlockPool.free_blocks (prepend_n of the blocks without a hash)",
    ),
    Change(
        "keep_place_after_any_victim",
        "0.28.0",
        "Under the priority policy, preempting any request that stands before the current one in the running list moves "
        "the place in the list back; before, only a victim already scheduled in this step did, and a request was "
        "skipped after any other.",
        "0.28.0 v1/core/sched/scheduler.py Scheduler.schedule (victim_index < req_index)",
    ),
    Change(
        "spare_the_only_request",
        "0.31.0",
        "long_prefill_token_threshold is not applied while there is only one request in the system.",
        "0.31.0 v1/core/sched/scheduler.py Scheduler.schedule (num_eligible_reqs)",
    ),
    Change(
        "go_on_after_own_preemption",
        "0.33.0",
        "Under the priority policy, a request that preempts itself no longer ends the step for the running requests "
        "behind it.",
        "0.33.0 v1/core/sched/scheduler.py Scheduler.schedule (continue when new_blocks is None and the request is "
        "PREEMPTED)",
    ),
)

OPTIONS: dict[str, tuple[str, str]] = {
    "reserve_full_prompt": ("0.19.0", "0.19.0 config/scheduler.py SchedulerConfig.scheduler_reserve_full_isl"),
    "watermark": ("0.24.0", "0.24.0 config/scheduler.py SchedulerConfig.watermark"),
    "max_num_active_seqs": ("0.31.0", "0.31.0 config/scheduler.py SchedulerConfig.max_num_active_seqs"),
    "adaptive_threshold": (
        "0.31.0", "0.31.0 config/scheduler.py SchedulerConfig.long_prefill_token_threshold_adaptive",
    ),
}  # fmt: skip
"""Settings of :class:`~.limits.Limits` that came with a release, and where they are declared."""

THRESHOLD_WITHIN_LENGTH = "0.27.0"
"""Since then a threshold above max_model_len is refused whatever else is set (0.27.0 config/scheduler.py
SchedulerConfig.verify_max_model_len)."""


@lru_cache(maxsize=64)
def rules_for(version: str) -> Rules:
    """The rules of one release; a release newer than all known ones has those of the newest.

    Raises:
        UnknownScheduler: for a release before :data:`OLDEST`, and when `version` is not a version.
    """
    try:
        known = at_least(version, OLDEST)
    except ValueError as error:
        raise UnknownScheduler(str(error)) from None
    if not known:
        raise UnknownScheduler(f"the scheduler of vLLM {version} is not known; {OLDEST} is the oldest that is")
    return Rules(**{change.rule: at_least(version, change.since) for change in CHANGES})


def refuse_unknown(limits: Limits, version: str) -> None:
    """Hold the settings to what the configuration of one release accepts.

    Raises:
        CannotSchedule: a setting came later than `version`, or is refused by it alone.
    """
    for field in fields(limits):
        since, _ = OPTIONS.get(field.name, (OLDEST, ""))
        if getattr(limits, field.name) != field.default and not at_least(version, since):
            raise CannotSchedule(f"{field.name} came with vLLM {since}; {version} does not know it")
    threshold, longest = limits.long_prefill_token_threshold, limits.max_model_len
    if threshold > longest and at_least(version, THRESHOLD_WITHIN_LENGTH):
        raise CannotSchedule(f"long_prefill_token_threshold ({threshold}) is above max_model_len ({longest})")
