"""One change on the simulator."""

import pytest

from vllm_triage.engine.deployment import deploy
from vllm_triage.verdicts.compat import check
from vllm_triage.verdicts.whatif import try_change, try_replicas

from .cases import CALM, CROWD, RATE, ground


def test_seats_for_those_who_wait_shorten_the_wait() -> None:
    found = try_change(ground(), {"max_num_seqs": 24})
    assert found.effect in ("better", "trade")
    ratio = found.by_metric["ttft_ms_mean"].ratio
    assert ratio is not None
    assert ratio.mid < 0.5
    assert "waiting" in found.words


def test_seats_where_nobody_waits_make_no_difference_and_the_words_say_why() -> None:
    found = try_change(ground(CALM), {"max_num_seqs": 64})
    assert (found.effect, found.blind) == ("none", False)
    assert "never met" in found.words


def test_an_identical_run_has_a_ratio_of_exactly_one() -> None:
    found = try_change(ground(CALM), {"max_num_seqs": 64})
    ratios = {d.metric: (d.ratio.low, d.ratio.mid, d.ratio.high) for d in found.differences if d.ratio is not None}
    assert set(ratios.values()) == {(1.0, 1.0, 1.0)}


def test_a_launch_that_would_not_start_is_not_simulated() -> None:
    found = try_change(ground(), {"max_num_batched_tokens": 4, "enable_chunked_prefill": False})
    assert found.prediction is None
    assert found.words.startswith("not simulated")


def test_no_room_for_the_pool_is_not_simulated() -> None:
    found = try_change(ground(), {"gpu_memory_utilization": 0.1})
    assert (found.prediction, found.effect) == (None, "unknown")


def test_a_larger_budget_is_simulated_on_the_smaller_pool_it_leaves() -> None:
    found = try_change(ground(), {"max_num_batched_tokens": 65536})
    before = ground().memory.pool
    assert before is not None
    assert found.memory.pool is not None
    assert (found.memory.pool.tokens or 0) < (before.tokens or 0)


def test_what_the_simulator_cannot_see_is_not_called_useless() -> None:
    found = try_change(ground(), {"disable_log_stats": True})
    assert found.blind
    assert not found.unchanged


def test_a_change_that_changes_nothing_is_known_as_that() -> None:
    assert try_change(ground(), {"enforce_eager": None}).unchanged


@pytest.mark.parametrize("workload", [CROWD, RATE])
def test_two_replicas_share_the_load(workload: object) -> None:
    start = ground(workload)  # type: ignore[arg-type]
    found = try_replicas(start, 2, check(deploy("vllm serve Qwen/Qwen3-8B", "0.30.0", "H100")))
    assert found.prediction is not None
    assert found.prediction.ttft_ms.mean.mid <= start.prediction.ttft_ms.mean.mid
    assert found.prediction.output_tok_s.mid >= 0.9 * start.prediction.output_tok_s.mid
