from verdicts.harness import fires, quiet

RANK = "Qwen/Qwen3-30B-A3B -dp 2 --data-parallel-rank 0 --enable-fault-tolerance"


def test_ranks_that_may_fail_are_behind_an_external_balancer() -> None:
    fires("fault-tolerance-balancer", "Qwen/Qwen3-30B-A3B -dp 2 --enable-fault-tolerance", "0.28.0")
    quiet("fault-tolerance-balancer", RANK, "0.28.0")


def test_one_server_manages_them() -> None:
    fires("fault-tolerance-balancer", f"{RANK} --api-server-count 4", "0.33.0")
