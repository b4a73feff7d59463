from verdicts.harness import fires, quiet


def test_over_admission_thrashes() -> None:
    fires("admission-unreserved", "Qwen/Qwen3-8B --no-scheduler-reserve-full-isl", "0.33.0")


def test_reserving_is_the_default() -> None:
    quiet("admission-unreserved", "Qwen/Qwen3-8B", "0.33.0")
