from verdicts.harness import fires, not_checked, quiet


def test_nothing_composed_onto_a_quantized_checkpoint_is_refused_from_0_30() -> None:
    command = "Qwen/Qwen3-32B-FP8 --quantization-config '{}'"
    fires("online-quantization-empty", command, "0.30.0")
    quiet("online-quantization-empty", command, "0.29.0")


def test_online_without_a_layer_is_refused() -> None:
    fires(
        "online-quantization-empty",
        'Qwen/Qwen3-8B --quantization online --quantization-config \'{"ignore":["lm_head"]}\'',
    )


def test_a_plain_checkpoint_ignores_it() -> None:
    quiet("online-quantization-empty", "Qwen/Qwen3-8B --quantization-config '{}'")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("online-quantization-empty", "nobody/nothing --quantization-config '{}'") == ("model",)
