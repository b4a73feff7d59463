import pytest

from engine.physics import dense, memory
from vllm_triage.domain import CacheGroup, LayerRun
from vllm_triage.engine.seats import seats_in_pool, tokens_held


def test_a_request_holds_its_prompt_and_three_quarters_of_its_output() -> None:
    assert tokens_held(4000, 200) == 4150


def test_seats_are_pool_tokens_over_tokens_held() -> None:
    assert seats_in_pool(memory(30_000), dense(), 1, 3996, 200) == pytest.approx(7.24, abs=0.01)


def test_each_replica_has_its_own_pool() -> None:
    assert seats_in_pool(memory(30_000), dense(), 2, 3996, 200) == pytest.approx(14.5, abs=0.05)


def test_a_window_group_takes_no_more_blocks_than_its_window() -> None:
    full = CacheGroup(kind="FullAttention", layers=18, block_tokens=16, page_bytes=1)
    window = CacheGroup(kind="SlidingWindow", layers=18, block_tokens=16, page_bytes=1)
    model = dense().but(
        runs=(
            LayerRun(kind="full", count=18, kv_heads=8, head_dim=64),
            LayerRun(kind="sliding_window", count=18, kv_heads=8, head_dim=64, window=128),
        )
    )
    seats = seats_in_pool(memory(50_000, groups=(full, window), blocks=10_000), model, 1, 1600, 0)
    assert seats == pytest.approx(9_999 / (100 + 9))


def test_a_state_group_takes_one_block_whatever_the_length() -> None:
    full = CacheGroup(kind="FullAttention", layers=8, block_tokens=16, page_bytes=1)
    state = CacheGroup(kind="State", layers=8, block_tokens=16, page_bytes=1)
    seats = seats_in_pool(memory(50_000, groups=(full, state), blocks=1_011), dense(), 1, 1600, 0)
    assert seats == pytest.approx(1_010 / 101)


@pytest.mark.parametrize("budget", [None, memory(None)])
def test_no_pool_no_seats(budget: object) -> None:
    assert seats_in_pool(budget, dense(), 1, 100, 100) is None  # type: ignore[arg-type]
