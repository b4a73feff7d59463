from verdicts.harness import fires, quiet


def test_three_nodes_cannot_share_four_ranks() -> None:
    fires("nodes-do-not-divide", "Qwen/Qwen3-8B -tp 4 --nnodes 3", "0.33.0")


def test_nor_could_they_before() -> None:
    fires("nodes-do-not-divide", "Qwen/Qwen3-8B -tp 4 --nnodes 3", "0.18.0")


def test_two_can() -> None:
    quiet("nodes-do-not-divide", "Qwen/Qwen3-8B -tp 4 --nnodes 2", "0.33.0")
