from verdicts.harness import fires, quiet


def test_nodes_are_joined_by_the_multiprocessing_executor() -> None:
    joined = "Qwen/Qwen3-32B -tp 16 --nnodes 2 --node-rank 0 --distributed-executor-backend"
    fires("executor-options", f"{joined} ray", "0.28.0")
    quiet("executor-options", f"{joined} mp", "0.28.0")


def test_nsight_is_started_by_ray() -> None:
    fires("executor-options", "Qwen/Qwen3-8B --ray-workers-use-nsight", "0.28.0")
    quiet("executor-options", "Qwen/Qwen3-8B -tp 2 --ray-workers-use-nsight --distributed-executor-backend ray", "0.28.0")


def test_a_headless_node_balances_nothing() -> None:
    fires("executor-options", "Qwen/Qwen3-30B-A3B -dp 2 --headless --data-parallel-hybrid-lb --data-parallel-size-local 1", "0.28.0")
