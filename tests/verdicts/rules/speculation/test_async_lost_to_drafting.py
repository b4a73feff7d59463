from verdicts.harness import fires, quiet, spec


def test_a_draft_model_loses_async_scheduling_through_0_27() -> None:
    found = fires(
        "async-lost-to-drafting",
        "Qwen/Qwen3-8B " + spec(method="draft_model", model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.27.1",
    )
    assert "draft_model" in found.message


def test_a_draft_model_keeps_it_from_0_28() -> None:
    quiet(
        "async-lost-to-drafting",
        "Qwen/Qwen3-8B " + spec(method="draft_model", model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.28.0",
    )
