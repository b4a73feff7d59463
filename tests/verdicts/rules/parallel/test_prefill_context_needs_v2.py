from verdicts.harness import fires, quiet, spec


def test_drafting_by_n_grams_keeps_the_v1_runner() -> None:
    fires(
        "prefill-context-needs-v2",
        "Qwen/Qwen3-8B --prefill-context-parallel-size 2 "
        + spec(method="ngram", num_speculative_tokens=5, prompt_lookup_max=4),
        "0.31.0",
    )


def test_the_v2_runner_splits_prompts() -> None:
    quiet("prefill-context-needs-v2", "Qwen/Qwen3-8B --prefill-context-parallel-size 2", "0.31.0")
