from verdicts.harness import fires, quiet, spec


def test_a_text_draft_of_a_multimodal_model_is_weak() -> None:
    fires(
        "draft-of-multimodal-target",
        "Qwen/Qwen3-VL-8B-Instruct " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.31.0",
    )


def test_a_text_model_has_nothing_to_miss() -> None:
    quiet(
        "draft-of-multimodal-target",
        "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.31.0",
    )
