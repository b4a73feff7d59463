"""Each rule of the table, at the release before it and at the one it came with."""

from dataclasses import fields
from typing import Any

import pytest

from engine.scheduler.test_scheduler import limits, run, steps
from vllm_triage.engine.scheduler import (
    CHANGES,
    OLDEST,
    OPTIONS,
    CannotSchedule,
    Rules,
    Run,
    UnknownScheduler,
    Work,
    refuse_unknown,
    rules_for,
)
from vllm_triage.facts.versions import KNOWN


def test_every_rule_has_one_row_with_its_evidence() -> None:
    assert sorted(change.rule for change in CHANGES) == sorted(field.name for field in fields(Rules))
    assert all(change.since in KNOWN and change.since in change.evidence and change.says for change in CHANGES)


def test_the_oldest_release_knows_none_of_the_rules_and_the_newest_all() -> None:
    assert not any(getattr(rules_for(OLDEST), change.rule) for change in CHANGES)
    assert all(getattr(rules_for("latest"), change.rule) for change in CHANGES)
    assert rules_for("1.7.0") == rules_for("latest")


@pytest.mark.parametrize("version", ["0.11.2", "0.6.6.post1", "later"])
def test_a_release_whose_scheduler_is_not_known_is_refused(version: str) -> None:
    with pytest.raises(UnknownScheduler):
        rules_for(version)


@pytest.mark.parametrize(
    ("name", "value"),
    [("reserve_full_prompt", False), ("watermark", 0.1), ("max_num_active_seqs", 1), ("adaptive_threshold", True)],
)
def test_a_setting_that_came_later_is_refused_before(name: str, value: object) -> None:
    since, evidence = OPTIONS[name]
    assert evidence.startswith(since)
    refuse_unknown(limits(**{name: value}), since)
    with pytest.raises(CannotSchedule, match=f"{name} came with vLLM {since}"):
        refuse_unknown(limits(**{name: value}), KNOWN[KNOWN.index(since) - 1])
    assert len(OPTIONS) == 4


def test_since_0_19_a_prompt_is_admitted_only_when_all_of_it_fits() -> None:
    tight = limits(num_blocks=9, max_num_batched_tokens=16)
    work = (Work(20, 9), Work(20, 2))
    assert steps("0.18.1", tight, *work)[1] == [(0, 4), (1, 12)]
    assert steps("0.19.0", tight, *work)[1] == [(0, 4)]


def evictions(version: str) -> list[tuple[int, ...]]:
    """What the last of three requests computes: how much of the first's prompt is still cached when it comes."""
    small = limits(enable_prefix_caching=True, num_blocks=9)
    first = Work(8, 2, shared=(Run(1, 8),))
    return steps(version, small, first, (5, Work(14, 1)), (10, Work(3, 1)), (15, Work(13, 1)), (20, first))[20]


def test_since_0_24_blocks_without_a_cached_prefix_are_used_first() -> None:
    assert evictions("0.23.0") == [(4, 8)]
    assert evictions("0.24.0") == [(4, 4)]


def fourth_step(version: str, *work: Work, **changes: Any) -> list[tuple[int, ...]]:
    """The step after three requests came one a step, under the priority policy, each with one of three blocks."""
    tight = limits(policy="priority", max_num_seqs=3, num_blocks=4, **changes)
    return steps(version, tight, *enumerate(work))[3]


def test_since_0_28_no_request_is_skipped_after_a_victim_that_was_not_scheduled() -> None:
    # the first has sampled its last token, holds its block until that is seen, and is the one to go
    work = (Work(1, 3, priority=9), Work(3, 9), Work(1, 9))
    assert fourth_step("0.27.1", *work, async_scheduling=True) == [(1, 1)]
    assert fourth_step("0.28.0", *work, async_scheduling=True) == [(1, 1), (2, 1)]


def test_since_0_31_the_threshold_is_not_for_a_request_that_is_alone() -> None:
    capped = limits(long_prefill_token_threshold=8)
    assert steps("0.30.0", capped, Work(20, 1))[0] == [(0, 8)]
    assert steps("0.31.0", capped, Work(20, 1))[0] == [(0, 20)]


def test_since_0_33_those_behind_a_request_that_preempted_itself_go_on() -> None:
    work = (Work(1, 9), Work(3, 9, priority=9), Work(1, 9))
    assert fourth_step("0.32.0", *work) == [(0, 1)]
    assert fourth_step("0.33.0", *work) == [(0, 1), (2, 1)]


def test_the_watermark_keeps_blocks_free_beside_a_running_request() -> None:
    work = (Work(8, 9), (1, Work(8, 1)))
    assert (1, 8) in steps("0.33.0", limits(num_blocks=10), *work)[1]
    assert (1, 8) not in steps("0.33.0", limits(num_blocks=10, watermark=0.5), *work)[1]


def test_fewer_may_be_active_than_there_are_seats() -> None:
    assert max(run("0.33.0", limits(max_num_active_seqs=1), Work(4, 3), Work(4, 3)).running) == 1


def test_an_adaptive_threshold_is_never_below_an_equal_share_of_the_budget() -> None:
    capped = limits(long_prefill_token_threshold=8, adaptive_threshold=True)
    assert steps("0.33.0", capped, Work(30, 1), Work(30, 1))[0] == [(0, 16), (1, 16)]
