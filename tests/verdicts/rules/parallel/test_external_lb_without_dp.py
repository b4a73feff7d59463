from verdicts.harness import fires, quiet


def test_one_engine_needs_no_balancer() -> None:
    fires("external-lb-without-dp", "Qwen/Qwen3-8B --data-parallel-external-lb", "0.18.0")


def test_two_engines_do() -> None:
    quiet("external-lb-without-dp", "Qwen/Qwen3-30B-A3B --data-parallel-size 2 --data-parallel-external-lb", "0.18.0")
