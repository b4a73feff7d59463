from verdicts.harness import fires, quiet


def test_a_class_of_ones_own_is_not_maintained() -> None:
    fires("custom-scheduler", "Qwen/Qwen3-8B --scheduler-cls mine.Scheduler", "0.33.0")


def test_the_built_in_scheduler_is() -> None:
    quiet("custom-scheduler", "Qwen/Qwen3-8B", "0.33.0")
