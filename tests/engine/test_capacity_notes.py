"""What adds to the pool, what only seems to, and that each is said."""

import pytest

from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate


def notes(words: str, gpu: str = "H100", version: str = "0.32.0") -> str:
    found = estimate(deploy(f"vllm serve Qwen/Qwen3-8B {words}", vllm_version=version, gpu=gpu), input_tokens=1000)
    return "; ".join(found.assumptions)


def requests(words: str) -> float:
    deployment = deploy(f"vllm serve Qwen/Qwen3-8B {words}", vllm_version="0.32.0", gpu="H100")
    capacity = estimate(deployment, input_tokens=1000).capacity
    assert capacity is not None
    return capacity.requests


def test_a_pinned_pool_ignores_the_utilisation_and_says_what_it_leaves() -> None:
    words = "--kv-cache-memory-bytes 20G --gpu-memory-utilization"
    assert requests(f"{words} 0.5") == requests(f"{words} 0.95")
    said = notes(f"{words} 0.5")
    assert "fixes the pool at 20.00 GiB: --gpu-memory-utilization does not change it" in said
    assert "it leaves 40.6 of 79.2" in said


def test_a_pinned_pool_larger_than_the_device_is_said() -> None:
    assert "is more than the device has: it lacks" in notes("--kv-cache-memory-bytes 75G")


def test_offloading_the_cache_adds_no_request() -> None:
    assert requests("--kv-offloading-size 64") == requests("")
    said = notes("--kv-offloading-size 64 -tp 2")
    assert "64 GiB (about 466,033 tokens) of evicted prefixes" in said  # of all ranks together
    assert "adds nothing to how many fit" in said


def test_a_connector_adds_no_request() -> None:
    words = '--kv-transfer-config \'{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"}\''
    assert requests(words) == requests("")
    assert "a KV connector stores or moves the cache of prompts" in notes(words)


def test_offloading_weights_grows_the_pool_at_a_price() -> None:
    assert requests("--cpu-offload-gb 8") > requests("")
    assert "every step copies them over the bus again" in notes("--cpu-offload-gb 8")


def test_swap_space_holds_nothing() -> None:
    assert "--swap-space holds no running request" in notes("--swap-space 16", version="0.16.0")


@pytest.mark.parametrize("gpu", ["DGX Spark", "Jetson AGX Thor"])
def test_unified_memory_is_said(gpu: str) -> None:
    assert "offloading to the host frees nothing" in notes("", gpu)


def test_prefix_caching_lets_more_fit_than_counted() -> None:
    assert "so more fit than counted" in notes("")
    assert "so more fit than counted" not in notes("--no-enable-prefix-caching")
