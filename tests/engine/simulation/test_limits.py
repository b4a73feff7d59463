"""The scheduler's settings, from the resolved settings and the pool."""

from typing import Any

import pytest

from engine.physics import deployment, memory
from vllm_triage.domain import CacheGroup
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate
from vllm_triage.engine.seats import seats_in_pool
from vllm_triage.engine.simulation import CannotPredict, limits_of
from vllm_triage.engine.simulation.limits import ACCEPTANCE, role_of, rules_of

SETTINGS: dict[str, Any] = {"max_model_len": 8192, "block_size": 16, "enable_prefix_caching": True}
FULL = CacheGroup(kind="FullAttention", layers=36, block_tokens=16, page_bytes=65536)


def test_settings_and_the_pool_become_limits() -> None:
    launch = deployment(**SETTINGS, max_num_seqs=64, async_scheduling=True, long_prefill_token_threshold=512)
    found = limits_of(launch, memory(160_000, groups=(FULL,), blocks=10_000))
    assert (found.max_num_seqs, found.max_num_batched_tokens, found.max_model_len) == (64, 8192, 8192)
    assert (found.num_blocks, found.block_size, found.async_scheduling) == (10_000, 16, True)
    assert (found.enable_prefix_caching, found.long_prefill_token_threshold, found.policy) == (True, 512, "fcfs")


def test_a_block_that_holds_a_multiple_with_context_parallelism_is_told_by_the_pool() -> None:
    found = limits_of(deployment(**SETTINGS), memory(160_000, groups=(FULL,), blocks=5000))
    assert (found.num_blocks, found.block_size) == (5000, 32)


def test_tokens_alone_are_enough() -> None:
    found = limits_of(deployment(**SETTINGS), memory(160_001))
    assert (found.num_blocks, found.block_size) == (10_001, 16)


def test_a_pool_of_several_caches_is_as_large_as_it_is_for_the_traffic() -> None:
    window = CacheGroup(kind="SlidingWindow", layers=18, block_tokens=16, page_bytes=65536)
    groups = memory(160_000, groups=(FULL.but(layers=18), window), blocks=10_000)
    short, long = (limits_of(deployment(**SETTINGS), groups, lengths=(float(isl), 100.0)) for isl in (500, 6000))
    assert short.num_blocks <= long.num_blocks
    assert limits_of(deployment(**SETTINGS), groups).num_blocks == 10_001


def test_a_request_takes_whole_blocks_however_long_a_block_is() -> None:
    kinds = (("FullAttention", 8304), *[("State", 8192)] * 3)
    groups = tuple(CacheGroup(kind=kind, layers=10, block_tokens=block, page_bytes=1 << 22) for kind, block in kinds)
    pool = memory(400_000, groups=groups, blocks=225)
    seats = seats_in_pool(pool, None, 1, 1000.0, 200.0)
    found = limits_of(deployment(**SETTINGS), pool, lengths=(1000.0, 200.0))
    assert seats == 56  # one block each for what is kept of every token and for three states; the null block apart
    assert (found.num_blocks - 1) // -(-1150 // found.block_size) == seats


def test_drafts_take_from_the_budget_and_are_accepted_as_measured_or_as_assumed() -> None:
    launch = deployment(**SETTINGS, speculative_config={"method": "eagle3", "num_speculative_tokens": 3})
    assumed, measured = limits_of(launch, memory()), limits_of(launch, memory(), acceptance_length=2.9)
    assert assumed.draft_tokens == 3
    assert assumed.accepted_tokens == pytest.approx(ACCEPTANCE + ACCEPTANCE**2 + ACCEPTANCE**3)
    assert measured.accepted_tokens == pytest.approx(1.9)
    assert limits_of(launch, memory(), acceptance_length=9.0).accepted_tokens == 3


def test_a_release_that_does_not_know_a_setting_goes_without() -> None:
    settings = {**SETTINGS, "watermark": 0.05, "max_num_active_seqs": 8}
    assert limits_of(deployment(**settings, version="0.33.0"), memory()).watermark == 0.05
    assert limits_of(deployment(**settings, version="0.33.0"), memory()).max_num_active_seqs == 8
    assert limits_of(deployment(**settings, version="0.20.0"), memory()).watermark == 0.0
    assert limits_of(deployment(**settings, version="0.20.0"), memory()).max_num_active_seqs is None


@pytest.mark.parametrize(
    ("settings", "pool", "missing"),
    [
        ({"max_model_len": None}, memory(), "max_model_len"),
        (SETTINGS, memory(None), "KV pool"),
        ({**SETTINGS, "enable_chunked_prefill": False, "max_num_batched_tokens": 4096}, memory(), "vLLM starts with"),
    ],
)
def test_what_is_not_known_is_named(settings: dict[str, Any], pool: Any, missing: str) -> None:
    with pytest.raises(CannotPredict, match=missing):
        limits_of(deployment(**settings), pool)


def test_a_release_before_the_oldest_known_scheduler_has_its_rules_but_v0_has_none() -> None:
    assert rules_of("0.9.2") == rules_of("0.12.0")
    with pytest.raises(CannotPredict, match="V1 engine"):
        rules_of("0.7.3")


@pytest.mark.parametrize(
    ("role", "part"), [("kv_producer", "prefill"), ("kv_consumer", "decode"), ("kv_both", "both"), (None, "both")]
)
def test_the_role_of_a_connector_says_which_part_of_a_request_is_computed(role: str | None, part: str) -> None:
    assert role_of(deployment(kv_transfer_config={"kv_connector": "NixlConnector", "kv_role": role})) == part


def test_a_launch_predicted_not_to_start_is_asked_to_start_first() -> None:
    found = deploy("vllm serve meta-llama/Llama-3.1-70B-Instruct", "0.31.0", "T4")
    with pytest.raises(CannotPredict, match=r"a launch that starts \(predicted: vLLM will refuse to start.*quantized checkpoint"):
        limits_of(found, estimate(found))
