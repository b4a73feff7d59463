from verdicts.harness import fires, quiet


def test_ray_could_not_overlap_in_0_18() -> None:
    fires(
        "async-executor-refused", "Qwen/Qwen3-8B -tp 2 --async-scheduling --distributed-executor-backend ray", "0.18.0"
    )


def test_mp_can() -> None:
    quiet(
        "async-executor-refused", "Qwen/Qwen3-8B -tp 2 --async-scheduling --distributed-executor-backend mp", "0.18.0"
    )
