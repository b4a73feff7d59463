from verdicts.harness import fires, quiet


def test_eager_steps_are_slow() -> None:
    fires("enforce-eager", "Qwen/Qwen3-8B --enforce-eager", "0.33.0")


def test_graphs_are_the_default() -> None:
    quiet("enforce-eager", "Qwen/Qwen3-8B", "0.33.0")
