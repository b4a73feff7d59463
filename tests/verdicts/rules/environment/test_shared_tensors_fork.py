from verdicts.harness import fires, quiet


def test_handles_are_lost_in_a_fork() -> None:
    fires("shared-tensors-fork", "Qwen/Qwen3-VL-8B-Instruct --mm-tensor-ipc torch_shm", "0.33.0")


def test_a_spawn_keeps_them() -> None:
    quiet(
        "shared-tensors-fork",
        "VLLM_WORKER_MULTIPROC_METHOD=spawn vllm serve Qwen/Qwen3-VL-8B-Instruct --mm-tensor-ipc torch_shm",
        "0.33.0",
    )
