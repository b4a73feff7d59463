from verdicts.harness import fires, quiet, spec


def test_unpadded_drafts_cost_async_scheduling() -> None:
    fires(
        "async-lost-to-unpadded-drafts",
        "Qwen/Qwen3-8B "
        + spec(model="x/Qwen3-8B_eagle3", method="eagle3", num_speculative_tokens=3, disable_padded_drafter_batch=True),
        "0.18.0",
    )


def test_padded_drafts_keep_it() -> None:
    quiet(
        "async-lost-to-unpadded-drafts",
        "Qwen/Qwen3-8B " + spec(model="x/Qwen3-8B_eagle3", method="eagle3", num_speculative_tokens=3),
        "0.18.0",
    )
