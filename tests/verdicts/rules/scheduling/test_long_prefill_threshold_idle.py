from verdicts.harness import fires, quiet


def test_a_cap_above_the_budget_caps_nothing() -> None:
    fires(
        "long-prefill-threshold-idle",
        "Qwen/Qwen3-8B --long-prefill-token-threshold 4096 --max-num-batched-tokens 2048",
        "0.18.0",
    )


def test_a_cap_below_it_does() -> None:
    quiet(
        "long-prefill-threshold-idle",
        "Qwen/Qwen3-8B --long-prefill-token-threshold 512 --max-num-batched-tokens 2048",
        "0.18.0",
    )
