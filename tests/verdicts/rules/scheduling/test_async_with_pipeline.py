from verdicts.harness import fires, quiet


def test_the_v1_runner_does_not_overlap_stages() -> None:
    fires(
        "async-with-pipeline", "VLLM_USE_V2_MODEL_RUNNER=0 vllm serve Qwen/Qwen3-8B -pp 2 --async-scheduling", "0.33.0"
    )


def test_the_v2_runner_does() -> None:
    quiet("async-with-pipeline", "Qwen/Qwen3-8B -pp 2 --async-scheduling", "0.33.0")


def test_it_was_not_written_until_0_15() -> None:
    fires("async-with-pipeline", "Qwen/Qwen3-8B --async-scheduling -pp 2", "0.10.0")
    quiet("async-with-pipeline", "Qwen/Qwen3-8B --async-scheduling -pp 2", "0.18.0")
