from verdicts.harness import fires, quiet, spec


def test_suffix_decoding_has_no_v2() -> None:
    found = fires(
        "v2-runner-refused",
        "VLLM_USE_V2_MODEL_RUNNER=1 vllm serve Qwen/Qwen3-8B " + spec(method="suffix", num_speculative_tokens=8),
        "0.33.0",
    )
    assert "suffix" in found.message


def test_without_the_variable_it_falls_back() -> None:
    quiet("v2-runner-refused", "Qwen/Qwen3-8B " + spec(method="suffix", num_speculative_tokens=8), "0.33.0")


def test_it_lacked_more_before_it_was_the_default() -> None:
    forced = "VLLM_USE_V2_MODEL_RUNNER=1 vllm serve Qwen/Qwen3-8B "
    ngram = spec(method="ngram", num_speculative_tokens=3, prompt_lookup_max=4)
    fires("v2-runner-refused", forced + ngram, "0.25.1")
    fires("v2-runner-refused", forced + "--enable-prompt-embeds", "0.28.0")
    quiet("v2-runner-refused", forced, "0.28.0")
