from verdicts.harness import fires, quiet


def test_rank_two_of_two_does_not_exist() -> None:
    fires("data-parallel-rank-out-of-range", "Qwen/Qwen3-30B-A3B -dp 2 --data-parallel-rank 2", "0.33.0")


def test_rank_one_does() -> None:
    quiet("data-parallel-rank-out-of-range", "Qwen/Qwen3-30B-A3B -dp 2 --data-parallel-rank 1", "0.33.0")
