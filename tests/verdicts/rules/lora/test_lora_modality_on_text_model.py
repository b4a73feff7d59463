from verdicts.harness import fires, quiet


def test_a_text_model_has_no_modality() -> None:
    fires(
        "lora-modality-on-text-model",
        'Qwen/Qwen3-8B --enable-lora --default-mm-loras \'{"image":"x/adapter"}\'',
        "0.33.0",
    )


def test_a_vision_model_has() -> None:
    quiet(
        "lora-modality-on-text-model",
        'Qwen/Qwen3-VL-8B-Instruct --enable-lora --default-mm-loras \'{"image":"x/adapter"}\'',
        "0.33.0",
    )
