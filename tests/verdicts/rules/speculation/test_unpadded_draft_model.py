from verdicts.harness import fires, quiet, spec


def test_an_unpadded_draft_model_stops_the_worker() -> None:
    found = fires(
        "unpadded-draft-model",
        "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3, disable_padded_drafter_batch=True),
        "0.28.0",
    )
    assert "disable_padded_drafter_batch" in found.message


def test_a_padded_one_starts() -> None:
    quiet("unpadded-draft-model", "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3), "0.28.0")
