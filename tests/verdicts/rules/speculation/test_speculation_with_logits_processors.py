from verdicts.harness import fires, quiet, spec


def test_a_processor_cannot_see_drafts() -> None:
    fires(
        "speculation-with-logits-processors",
        "Qwen/Qwen3-8B --logits-processors my.Processor " + spec(method="ngram", num_speculative_tokens=3),
        "0.33.0",
    )


def test_without_speculation_it_runs() -> None:
    quiet("speculation-with-logits-processors", "Qwen/Qwen3-8B --logits-processors my.Processor", "0.33.0")
