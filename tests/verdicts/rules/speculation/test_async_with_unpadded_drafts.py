from verdicts.harness import fires, quiet, spec


def test_unpadded_drafts_under_async_scheduling_are_refused() -> None:
    fires(
        "async-with-unpadded-drafts",
        "Qwen/Qwen3-8B --async-scheduling "
        + spec(model="x/Qwen3-8B_eagle3", method="eagle3", num_speculative_tokens=3, disable_padded_drafter_batch=True),
        "0.18.0",
    )


def test_padded_drafts_are_the_default() -> None:
    quiet(
        "async-with-unpadded-drafts",
        "Qwen/Qwen3-8B --async-scheduling "
        + spec(model="x/Qwen3-8B_eagle3", method="eagle3", num_speculative_tokens=3),
        "0.18.0",
    )
