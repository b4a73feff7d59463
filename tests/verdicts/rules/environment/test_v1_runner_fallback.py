from verdicts.harness import fires, quiet, spec


def test_suffix_decoding_falls_back() -> None:
    found = fires("v1-runner-fallback", "Qwen/Qwen3-8B " + spec(method="suffix", num_speculative_tokens=8), "0.33.0")
    assert "suffix" in found.message


def test_eagle_3_does_not() -> None:
    quiet(
        "v1-runner-fallback",
        "meta-llama/Llama-3.1-8B-Instruct " + spec(method="eagle3", model="x/head", num_speculative_tokens=3),
        "0.33.0",
    )
