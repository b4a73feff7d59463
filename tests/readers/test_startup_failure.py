# ruff: noqa: E501 - printed lines are kept as they are printed
import pytest

from captures import capture
from vllm_triage.readers.startup_failure import failure_of

OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 0 has a total capacity of 79.19 GiB of which 500 MiB is free."


@pytest.mark.parametrize(
    ("run", "kind", "words"),
    [
        ("fail-default-mem", "free_memory", "less than desired CPU memory utilization (0.92, 11.7 GiB)"),
        ("fail-maxlen-kv", "max_len_exceeds_kv", "max seq len (8192)"),
        ("fail-nochunk-mbt", "config", "max_num_batched_tokens (2048) is smaller than max_model_len (8192)"),
        ("fail-tp2", "config", "Total number of attention heads (4) must be divisible by tensor parallel size (3)."),
        ("fail-unknown-flag", "arguments", "unrecognized arguments: --max-num-sequences 4"),
        ("fail-util", "config", "gpu_memory_utilization Input should be less than or equal to 1"),
    ],
)
def test_a_real_failure_is_named_by_its_root_cause(run: str, kind: str, words: str) -> None:
    found = failure_of(capture(run, "startup.log"))
    assert found is not None
    assert found.kind == kind
    assert words in found.message
    assert len(found.message) <= 300
    assert "\n" not in found.message


def test_the_numbers_in_the_message_are_read() -> None:
    old = (
        "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed, which is larger "
        "than the available KV cache memory (12.59 GiB). Based on the available memory, the estimated maximum model length is 103136."
    )
    found = failure_of(f"(EngineCore_0 pid=7) ERROR 01-01 10:00:00 [core.py:632] {old}\n")
    assert found is not None
    assert (found.kind, found.needed_kv_gib, found.available_kv_gib) == ("max_len_exceeds_kv", 16.0, 12.59)
    assert (found.estimated_max_model_len, found.max_model_len) == (103136, 131072)


def test_free_and_total_memory_are_read() -> None:
    found = failure_of(
        "ValueError: Free memory on device cuda:0 (55.1/79.19 GiB) on startup is less than desired GPU memory utilization (0.9, 71.27 GiB). Decrease it."
    )
    assert found is not None
    assert (found.kind, found.free_gib, found.total_gib) == ("free_memory", 55.1, 79.19)


def test_v0s_form_of_the_length_error() -> None:
    found = failure_of(
        "ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (21264). Try increasing"
    )
    assert found is not None
    assert (found.kind, found.max_model_len) == ("max_len_exceeds_kv", 32768)


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        ('  File "vllm/v1/worker/gpu_model_runner.py", line 1, in load_model\n', "oom_load"),
        ('  File "vllm/v1/worker/gpu_worker.py", line 1, in determine_available_memory\n', "oom_profile"),
        ('  File "vllm/v1/worker/gpu_model_runner.py", line 1, in capture_model\n', "oom_graphs"),
        ("INFO Starting to load model\n", "oom_load"),
        ("INFO Model loading took 14.9 GiB memory and 3.000000 seconds\n", "oom_profile"),
        ("INFO Model loading took 14.9 GiB memory\nINFO GPU KV cache size: 4,096 tokens\n", "oom_graphs"),
        ('  File "vllm/v1/engine/core.py", line 1, in run_busy_loop\n  File "x.py", line 2, in forward\n', "oom_serving"),
        ("INFO GPU KV cache size: 4,096 tokens\nINFO:     Application startup complete.\n", "oom_serving"),
        ('  File "a.py", line 1, in profile_run\n  File "b.py", line 2, in execute_model\n', "oom_profile"),
        ("", "oom"),
    ],
)
def test_running_out_of_memory_is_placed_in_its_step(before: str, kind: str) -> None:
    found = failure_of(before + OOM)
    assert found is not None
    assert found.kind == kind


def test_the_sampler_warm_up_has_its_own_kind() -> None:
    found = failure_of(
        "RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests. Please try lowering `max_num_seqs`"
    )
    assert found is not None
    assert found.kind == "oom_sampler"


def test_a_wrapper_is_never_the_cause() -> None:
    found = failure_of(
        "ValueError: the reason\nRuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}\n"
    )
    assert found is not None
    assert found.message == "the reason"


def test_errors_after_the_server_came_up_are_no_startup_failure() -> None:
    assert failure_of("INFO:     Application startup complete.\nValueError: a bad request\n") is None
    assert failure_of("all is well") is None
