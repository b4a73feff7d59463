from verdicts.harness import fires, quiet, spec


def test_0_13_has_no_proposer_for_a_draft_model() -> None:
    found = fires(
        "draft-model-unsupported", "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3), "0.13.0"
    )
    assert "Qwen/Qwen3-0.6B" in found.message


def test_0_15_has_one() -> None:
    quiet(
        "draft-model-unsupported", "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3), "0.15.1"
    )
