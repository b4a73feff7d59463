from verdicts.harness import fires, quiet, spec


def test_drafts_over_stages_are_fragile() -> None:
    fires(
        "speculation-with-pipeline", "Qwen/Qwen3-8B -pp 2 " + spec(method="ngram", num_speculative_tokens=3), "0.31.0"
    )


def test_drafts_over_ranks_are_not() -> None:
    quiet(
        "speculation-with-pipeline", "Qwen/Qwen3-8B -tp 2 " + spec(method="ngram", num_speculative_tokens=3), "0.31.0"
    )
