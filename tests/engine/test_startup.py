"""Startup failures: the cause, and the smallest change with which the engine starts."""

import pytest

from vllm_triage.domain import PoolReading, Problem
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate


def problem(words: str, read: PoolReading | None = None, version: str = "0.33.0", gpu: str | None = "H100") -> Problem:
    (found,) = estimate(deploy(f"vllm serve {words}", vllm_version=version, gpu=gpu), read).problems
    return found


def pool_of(words: str, version: str = "0.33.0", gpu: str = "H100") -> tuple[Problem, ...]:
    return estimate(deploy(f"vllm serve {words}", vllm_version=version, gpu=gpu)).problems


STARVED = PoolReading(error_kind="max_len_exceeds_kv", available_kv_gib=8.1, needed_kv_gib=10.0, max_model_len=40960)


def test_a_context_too_long_for_the_pool_is_told_what_suffices_in_order_of_harm() -> None:
    found = problem("Qwen/Qwen3-32B", STARVED)
    assert found.code == "max-len-exceeds-kv"
    assert "needs 10.00 GiB" in found.message
    assert "8.10 GiB is left" in found.message
    flags = [part.split()[0] for part in found.fix.split("; or ")]
    assert flags == ["--gpu-memory-utilization", "--max-model-len", "--kv-cache-dtype", "--tensor-parallel-size"]


@pytest.mark.parametrize(
    "words", ["Qwen/Qwen3-32B", "Qwen/Qwen3-32B --gpu-memory-utilization 0.95", "meta-llama/Llama-3.3-70B-Instruct"]
)
def test_a_starved_pool_is_never_answered_with_a_lower_utilisation(words: str) -> None:
    deployment = deploy(f"vllm serve {words}", vllm_version="0.33.0", gpu="H100")
    now = deployment.setting("gpu_memory_utilization")
    assert isinstance(now, float)
    for kind in ("no_kv_memory", "max_len_exceeds_kv"):
        fix = problem(words, PoolReading(error_kind=kind, available_kv_gib=1.0, needed_kv_gib=10.0)).fix
        for part in fix.split("; or "):
            if part.startswith("--gpu-memory-utilization"):
                assert float(part.split()[1]) > now


def test_the_length_the_log_estimated_is_the_one_offered() -> None:
    read = STARVED.but(estimated_max_model_len=33_120)
    assert "--max-model-len 33120" in problem("Qwen/Qwen3-32B", read).fix


def test_a_start_the_interval_leaves_open_is_not_called_refused() -> None:
    """A published server of this launch ran."""
    doubtful = problem("openai/gpt-oss-120b --max-model-len 32768", version="0.10.2")
    assert (doubtful.severity, "may refuse" in doubtful.message) == ("warning", True)
    hopeless = problem("meta-llama/Llama-3.3-70B-Instruct")
    assert (hopeless.severity, "will refuse" in hopeless.message) == ("error", True)


def test_what_is_offered_does_start() -> None:
    (found,) = pool_of("Qwen/Qwen3-32B")
    for way in found.fix.split("; or "):
        flag, value = way.split()[:2]
        words = f"Qwen/Qwen3-32B {flag} {value}"
        assert pool_of(words, gpu="2x H100") == (), way


def test_a_length_that_just_fits_starts_and_one_token_more_does_not() -> None:
    (found,) = pool_of("Qwen/Qwen3-32B")
    longest = int(found.fix.split("--max-model-len ")[1].split()[0])
    assert pool_of(f"Qwen/Qwen3-32B --max-model-len {longest}") == ()
    assert len(pool_of(f"Qwen/Qwen3-32B --max-model-len {longest + 1}")) == 1


def test_weights_that_leave_nothing_ask_for_more_gpus() -> None:
    found = problem("meta-llama/Llama-3.3-70B-Instruct")
    assert found.code == "no-kv-memory"
    assert "nothing is left" in found.message
    assert found.fix.startswith("--tensor-parallel-size 4")


def test_tensor_parallel_sizes_divide_heads_and_vocabulary() -> None:
    """151,936 rows divide by 2, 4 and 8; 40 heads do not divide by 16."""
    found = problem("Qwen/Qwen3-14B", PoolReading(error_kind="oom_load"), gpu="T4")
    assert found.code == "oom-load"
    assert "--tensor-parallel-size 4" in found.fix


def test_a_smaller_profile_run_is_offered_where_it_suffices() -> None:
    found = problem("Qwen/Qwen3-32B --max-model-len 32768 --gpu-memory-utilization 0.95 --max-num-batched-tokens 65536")
    assert "--max-num-batched-tokens" in found.fix


def test_a_pinned_pool_is_widened_by_what_pins_it() -> None:
    found = problem("Qwen/Qwen3-8B --kv-cache-memory-bytes 1G")
    assert found.flag == "--kv-cache-memory-bytes"
    assert "--gpu-memory-utilization" not in found.fix


def test_memory_somebody_else_holds_is_to_be_freed_and_the_share_that_is_left_computed() -> None:
    error = (
        "Free memory on device cuda:0 (30.12/79.19 GiB) on startup is less than desired GPU memory utilization "
        "(0.92, 72.85 GiB)."
    )
    found = problem("Qwen/Qwen3-8B", PoolReading(error_kind="free_memory", error=error))
    assert found.code == "free-memory"
    assert "free the other 49.1 GiB" in found.fix
    assert "--gpu-memory-utilization 0.38 at most" in found.fix
    bare = problem("Qwen/Qwen3-8B", PoolReading(error_kind="free_memory", error="Free memory on device"))
    assert "nvidia-smi" in bare.fix


@pytest.mark.parametrize(
    ("kind", "code", "flag"),
    [
        ("oom_profile", "oom-profile", "--max-num-batched-tokens"),
        ("oom_sampler", "oom-sampler", "--max-num-seqs"),
        ("oom_graphs", "oom-graphs", "--max-cudagraph-capture-size"),
        ("oom_serving", "oom-serving", "--gpu-memory-utilization"),
    ],
)
def test_each_phase_cuda_ran_out_in_has_its_own_knob(kind: str, code: str, flag: str) -> None:
    found = problem("Qwen/Qwen3-8B", PoolReading(error_kind=kind))
    assert (found.code, found.flag) == (code, flag)
    assert flag in found.fix
    assert ("gpu-memory-utilization" in found.fix) is (kind == "oom_serving")


def test_graphs_that_are_not_reserved_for_are_said_so() -> None:
    assert "does not reserve" in problem("Qwen/Qwen3-8B", PoolReading(error_kind="oom_graphs"), "0.19.0").message
    assert "does not reserve" not in problem("Qwen/Qwen3-8B", PoolReading(error_kind="oom_graphs"), "0.33.0").message


@pytest.mark.parametrize("kind", ["config", "arguments", None])
def test_failures_that_are_not_of_memory_are_left_to_others(kind: str | None) -> None:
    assert (
        estimate(
            deploy("vllm serve Qwen/Qwen3-8B", vllm_version="0.33.0", gpu="H100"), PoolReading(error_kind=kind)
        ).problems
        == ()
    )


def test_a_failure_of_an_unknown_model_is_answered_from_the_log_alone() -> None:
    read = PoolReading(error_kind="max_len_exceeds_kv", estimated_max_model_len=12_000)
    assert "--max-model-len 12000" in problem("org/unheard-of", read).fix
    assert "--gpu-memory-utilization" in problem("org/unheard-of", PoolReading(error_kind="no_kv_memory")).fix
    assert problem("org/unheard-of", PoolReading(error_kind="oom_load")).code == "oom-load"
