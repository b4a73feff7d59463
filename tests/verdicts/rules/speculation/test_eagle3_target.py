from verdicts.harness import fires, quiet, spec


def test_gemma_3_hands_out_no_hidden_states() -> None:
    found = fires(
        "eagle3-target",
        "google/gemma-3-1b-it " + spec(method="eagle3", model="x/head", num_speculative_tokens=3),
        "0.33.0",
    )
    assert "Gemma3" in found.message


def test_llama_does() -> None:
    quiet(
        "eagle3-target",
        "meta-llama/Llama-3.1-8B-Instruct " + spec(method="eagle3", model="x/head", num_speculative_tokens=3),
        "0.33.0",
    )
