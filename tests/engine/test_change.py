"""What a change does to the launch and to its pool."""

from vllm_triage.domain import PoolReading
from vllm_triage.engine.change import memory_after, pool_tokens_after, upgraded, with_flags
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate

LAUNCH = deploy("vllm serve Qwen/Qwen3-8B", "0.23.0", "H100")



def test_a_larger_budget_shrinks_the_pool_by_its_activations() -> None:
    memory = estimate(LAUNCH)
    after = memory_after(LAUNCH, memory, with_flags(LAUNCH, {"max_num_batched_tokens": 32768}))
    assert memory.pool is not None
    assert after.pool is not None
    assert (after.pool.tokens or 0) < (memory.pool.tokens or 0)


def test_a_measured_pool_keeps_what_the_prediction_got_wrong() -> None:
    predicted = estimate(LAUNCH)
    measured = estimate(LAUNCH, PoolReading(tokens=(predicted.pool.tokens or 0) - 50_000 if predicted.pool else 0))
    changes = {"max_num_batched_tokens": 32768}
    plain, carried = (pool_tokens_after(LAUNCH, memory, changes) or 0 for memory in (predicted, measured))
    assert abs((plain - carried) - 50_000) < 64


def test_the_difference_of_a_measured_pool_counts_in_bytes_where_a_token_takes_fewer() -> None:
    measured = estimate(LAUNCH, PoolReading(tokens=300_000))
    halved = pool_tokens_after(LAUNCH, measured, {"kv_cache_dtype": "fp8"}) or 0
    assert 1.98 * 300_000 < halved < 2.02 * 300_000


def test_a_change_that_touches_no_memory_leaves_a_measured_pool_alone() -> None:
    measured = estimate(LAUNCH, PoolReading(tokens=300_000))
    assert memory_after(LAUNCH, measured, with_flags(LAUNCH, {"enable_prefix_caching": False})) is measured


def test_a_pin_ignores_what_was_measured_without_it() -> None:
    measured = estimate(LAUNCH, PoolReading(tokens=300_000))
    pinned = with_flags(LAUNCH, {"num_gpu_blocks_override": 100})
    assert memory_after(LAUNCH, measured, pinned).pool == estimate(pinned).pool
    narrow = estimate(pinned, PoolReading(tokens=1600, blocks=100))
    assert memory_after(pinned, narrow, LAUNCH).pool == estimate(LAUNCH).pool


def test_on_a_cpu_a_measured_pool_stays_as_it_is() -> None:
    launch = deploy("VLLM_CPU_KVCACHE_SPACE=4 vllm serve Qwen/Qwen3-8B", "0.32.0", "cpu")
    measured = estimate(launch, PoolReading(tokens=5000, blocks=40))
    assert memory_after(launch, measured, with_flags(launch, {"max_num_seqs": 8})) == measured


def test_an_environment_variable_replaces_the_one_there_was() -> None:
    launch = deploy("VLLM_CPU_KVCACHE_SPACE=4 vllm serve Qwen/Qwen3-8B", "0.32.0", "cpu")
    changed = with_flags(launch, {}, {"VLLM_CPU_KVCACHE_SPACE": "8"})
    assert [(reading.name, reading.value) for reading in changed.env] == [("VLLM_CPU_KVCACHE_SPACE", "8")]
    assert (estimate(changed).pool.tokens or 0) > 1.9 * (estimate(launch).pool.tokens or 0)  # type: ignore[union-attr]


def test_a_log_that_prints_tokens_alone_gives_the_blocks_that_hold_them() -> None:
    pool = estimate(LAUNCH, PoolReading(tokens=100_000), None, 1000, 200)
    assert pool.pool is not None
    assert (pool.pool.blocks, pool.pool.basis) == (6250, "measured")
    assert pool.capacity is not None
    assert 80 < pool.capacity.requests < 84


def test_an_upgraded_launch_is_read_as_the_later_release_does() -> None:
    later = upgraded(deploy("vllm serve Qwen/Qwen3-8B --max-num-seqs 64", "0.18.0", "H100"), "0.24.0")
    assert (later.version, later.catalogue_version, later.setting("max_num_seqs")) == ("0.24.0", "0.24.0", 64)
    assert later.setting("gpu_memory_utilization") == 0.92
