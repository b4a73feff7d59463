from verdicts.harness import fires, quiet, spec


def test_no_layer_is_named() -> None:
    fires(
        "hidden-states-without-layers",
        "Qwen/Qwen3-8B " + spec(method="extract_hidden_states", num_speculative_tokens=1),
        "0.28.0",
    )


def test_the_layers_are_named() -> None:
    layers = {"hf_config": {"eagle_aux_hidden_state_layer_ids": [1, 2, 3]}}
    quiet(
        "hidden-states-without-layers",
        "Qwen/Qwen3-8B "
        + spec(method="extract_hidden_states", num_speculative_tokens=1, draft_model_config=layers),
        "0.28.0",
    )


def test_another_method_needs_none() -> None:
    quiet("hidden-states-without-layers", "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=1), "0.28.0")
