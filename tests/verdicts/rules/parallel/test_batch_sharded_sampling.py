from verdicts.harness import fires, quiet


def test_one_rank_shards_nothing() -> None:
    fires("batch-sharded-sampling", "Qwen/Qwen3-8B --enable-batch-sharded-sampling", "0.33.0")


def test_two_ranks_do() -> None:
    quiet("batch-sharded-sampling", "Qwen/Qwen3-8B -tp 2 --enable-batch-sharded-sampling", "0.33.0")
