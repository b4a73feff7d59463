import pytest

from engine.physics import CPU, H100, deployment, memory
from vllm_triage.verdicts.policy import default_utilization, pool_gain, raise_ceiling_first


def test_a_low_ceiling_is_refused_with_the_pool_it_would_gain() -> None:
    refusal, note = raise_ceiling_first(deployment(gpu_memory_utilization=0.6), memory())
    assert refusal is not None
    assert note == ""
    gain = pool_gain(deployment(gpu_memory_utilization=0.6), memory())
    assert gain is not None
    assert gain.gib_per_gpu == pytest.approx(0.32 * 79.65)
    assert gain.tokens == pytest.approx(0.32 * 79.65 * 2**30 / 147456, rel=1e-4)
    assert f"{gain.gib_per_gpu:.1f} GiB" in refusal.message
    assert f"{gain.tokens:,}" in refusal.message


@pytest.mark.parametrize(("version", "default"), [("0.18.0", 0.9), ("0.19.1", 0.9), ("0.20.2", 0.92), ("0.33.0", 0.92)])
def test_the_default_is_that_of_the_version(version: str, default: float) -> None:
    assert default_utilization(version) == default
    refusal, _ = raise_ceiling_first(deployment(version=version, gpu_memory_utilization=0.5), None)
    assert refusal is not None
    assert f"{default:g}" in refusal.message


@pytest.mark.parametrize("value", [0.70, 0.75, 0.9])
def test_seventy_percent_is_not_below_seventy(value: float) -> None:
    assert raise_ceiling_first(deployment(gpu_memory_utilization=value), memory()) == (None, "")


def test_a_default_is_never_refused() -> None:
    assert raise_ceiling_first(deployment(given=False, gpu_memory_utilization=0.5), memory()) == (None, "")


@pytest.mark.parametrize(("settings", "said"), [
    ({"kv_cache_memory_bytes": 7_000_000_000}, "--kv-cache-memory-bytes"),
    ({"num_gpu_blocks_override": 40}, "--num-gpu-blocks-override"),
    ({"gpu": H100.but(name="GB10", unified_memory=True)}, "unified"),
    ({"gpu": CPU}, "CPU"),
])  # fmt: skip
def test_an_exception_lifts_the_rule_and_is_named(settings: dict[str, object], said: str) -> None:
    refusal, note = raise_ceiling_first(deployment(gpu_memory_utilization=0.5, **settings), memory())  # type: ignore[arg-type]
    assert refusal is None
    assert said in note


def test_without_a_memory_model_the_gain_is_asked_for_not_invented() -> None:
    refusal, _ = raise_ceiling_first(deployment(gpu_memory_utilization=0.6), None)
    assert refusal is not None
    assert "startup log" in refusal.message
