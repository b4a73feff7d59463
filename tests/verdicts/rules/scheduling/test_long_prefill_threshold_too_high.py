from verdicts.harness import fires, quiet


def test_a_threshold_above_the_context_is_refused() -> None:
    found = fires("long-prefill-threshold-too-high", "Qwen/Qwen3-8B --long-prefill-token-threshold 200000", "0.31.0")
    assert "200000" in found.message


def test_0_18_does_not_look() -> None:
    quiet("long-prefill-threshold-too-high", "Qwen/Qwen3-8B --long-prefill-token-threshold 200000", "0.18.0")
