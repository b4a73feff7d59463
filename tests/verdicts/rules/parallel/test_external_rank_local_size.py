from verdicts.harness import fires, quiet

RANK = "Qwen/Qwen3-30B-A3B -dp 4 --data-parallel-rank 1"


def test_a_rank_of_its_own_is_alone() -> None:
    fires("external-rank-local-size", f"{RANK} --data-parallel-size-local 2", "0.28.0")
    quiet("external-rank-local-size", f"{RANK} --data-parallel-size-local 1", "0.28.0")
    quiet("external-rank-local-size", "Qwen/Qwen3-30B-A3B -dp 4 --data-parallel-size-local 2", "0.28.0")
