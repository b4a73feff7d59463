from verdicts.harness import fires, quiet, spec


def test_a_draft_model_without_chunked_prefill_hangs_long_prompts() -> None:
    found = fires(
        "draft-needs-chunked-prefill",
        "Qwen/Qwen3-8B --max-model-len 8192 --no-enable-chunked-prefill "
        + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.18.0",
    )
    assert "7168 of 8192" in found.message


def test_with_chunked_prefill_nothing_hangs() -> None:
    quiet(
        "draft-needs-chunked-prefill",
        "Qwen/Qwen3-8B --max-model-len 8192 " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.18.0",
    )


def test_the_budget_is_whole_again_from_0_28() -> None:
    quiet(
        "draft-needs-chunked-prefill",
        "Qwen/Qwen3-8B --max-model-len 8192 --no-enable-chunked-prefill "
        + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.28.0",
    )
