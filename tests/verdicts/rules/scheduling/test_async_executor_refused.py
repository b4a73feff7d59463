from verdicts.harness import fires, quiet


def test_ray_could_not_overlap_in_0_18() -> None:
    fires(
        "async-executor-refused", "Qwen/Qwen3-8B -tp 2 --async-scheduling --distributed-executor-backend ray", "0.18.0"
    )


def test_mp_can() -> None:
    quiet(
        "async-executor-refused", "Qwen/Qwen3-8B -tp 2 --async-scheduling --distributed-executor-backend mp", "0.18.0"
    )


def test_the_executor_of_one_process_overlaps_from_0_11() -> None:
    fires("async-executor-refused", "Qwen/Qwen3-8B --async-scheduling --distributed-executor-backend uni", "0.10.0")
    quiet("async-executor-refused", "Qwen/Qwen3-8B --async-scheduling --distributed-executor-backend uni", "0.11.0")
