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


def test_qwen_3_with_experts_does_not_in_0_10_though_the_configuration_lets_it_pass() -> None:
    head = spec(method="eagle3", model="x/head", num_speculative_tokens=2)
    fires("eagle3-target", "Qwen/Qwen3-30B-A3B-FP8 " + head, "0.10.2")
    quiet("eagle3-target", "Qwen/Qwen3-8B " + head, "0.10.2")


def test_a_target_refused_before_loading_is_left_to_its_own_rule() -> None:
    head = spec(method="eagle3", model="x/head", num_speculative_tokens=2)
    quiet("eagle3-target", "google/gemma-3-1b-it " + head, "0.10.2")
    fires("eagle3-llama-only", "google/gemma-3-1b-it " + head, "0.10.2")
