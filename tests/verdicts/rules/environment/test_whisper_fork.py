from verdicts.harness import fires, quiet


def test_a_fork_may_hang() -> None:
    fires("whisper-fork", "openai/whisper-large-v3", "0.33.0")


def test_a_spawn_does_not() -> None:
    quiet("whisper-fork", "VLLM_WORKER_MULTIPROC_METHOD=spawn vllm serve openai/whisper-large-v3", "0.33.0")
