from verdicts.harness import fires, quiet, spec


def test_ranks_must_draft_alike() -> None:
    fires(
        "dynamic-with-data-parallel",
        "Qwen/Qwen3-30B-A3B -dp 2 "
        + spec(
            method="ngram", num_speculative_tokens=3, num_speculative_tokens_per_batch_size=[[1, 16, 3], [17, 64, 1]]
        ),
        "0.33.0",
    )


def test_one_rank_may_vary() -> None:
    quiet(
        "dynamic-with-data-parallel",
        "Qwen/Qwen3-30B-A3B "
        + spec(
            method="ngram", num_speculative_tokens=3, num_speculative_tokens_per_batch_size=[[1, 16, 3], [17, 64, 1]]
        ),
        "0.33.0",
    )
