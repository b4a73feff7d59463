from verdicts.harness import fires, quiet, spec


def test_drafts_stay_in_the_state() -> None:
    fires(
        "mamba-drafting-unsupported",
        "tiiuae/Falcon-H1-7B-Instruct " + spec(method="ngram", num_speculative_tokens=3),
        "0.10.2",
    )


def test_attention_forgets_them() -> None:
    quiet("mamba-drafting-unsupported", "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3), "0.10.2")
