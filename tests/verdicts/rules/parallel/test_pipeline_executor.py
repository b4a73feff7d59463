from verdicts.harness import fires, quiet


def test_one_process_cannot_hold_stages() -> None:
    fires("pipeline-executor", "Qwen/Qwen3-8B -pp 4 --distributed-executor-backend uni", "0.33.0")


def test_several_can() -> None:
    quiet("pipeline-executor", "Qwen/Qwen3-8B -pp 4 --distributed-executor-backend mp", "0.33.0")
