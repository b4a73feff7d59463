from verdicts.harness import fires, quiet, spec


def test_0_18_refuses_a_draft_of_a_multimodal_model() -> None:
    fires(
        "draft-of-multimodal-target-refused",
        "Qwen/Qwen3-VL-8B-Instruct " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.17.1",
    )


def test_a_text_model_is_fine() -> None:
    quiet(
        "draft-of-multimodal-target-refused",
        "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3),
        "0.17.1",
    )
