from verdicts.harness import fires, quiet, spec


def test_qwen_does_not_hand_states_out() -> None:
    fires(
        "eagle3-llama-only",
        "Qwen/Qwen3-8B " + spec(method="eagle3", model="org/qwen3-eagle3", num_speculative_tokens=3),
        "0.9.2",
    )


def test_llama_does() -> None:
    quiet(
        "eagle3-llama-only",
        "meta-llama/Llama-3.1-8B-Instruct "
        + spec(method="eagle3", model="yuhuili/EAGLE3-LLaMA3.1-Instruct-8B", num_speculative_tokens=3),
        "0.9.2",
    )
