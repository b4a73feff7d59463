from verdicts.harness import fires, quiet


def test_node_two_of_two_does_not_exist() -> None:
    fires("node-rank-out-of-range", "Qwen/Qwen3-8B -tp 4 --nnodes 2 --node-rank 2", "0.33.0")


def test_node_one_does() -> None:
    quiet("node-rank-out-of-range", "Qwen/Qwen3-8B -tp 4 --nnodes 2 --node-rank 1", "0.33.0")
