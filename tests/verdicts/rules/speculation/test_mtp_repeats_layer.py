from verdicts.harness import fires, quiet, spec


def test_three_tokens_from_one_layer_are_weak() -> None:
    found = fires(
        "mtp-repeats-layer", "deepseek-ai/DeepSeek-V3 -tp 8 " + spec(method="mtp", num_speculative_tokens=3), "0.33.0"
    )
    assert "1 layer" in found.message


def test_one_token_is_what_it_was_trained_for() -> None:
    quiet(
        "mtp-repeats-layer", "deepseek-ai/DeepSeek-V3 -tp 8 " + spec(method="mtp", num_speculative_tokens=1), "0.33.0"
    )
