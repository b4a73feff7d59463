from verdicts.harness import fires, quiet


def test_a_small_budget_without_chunked_prefill_is_refused() -> None:
    found = fires(
        "chunked-off-needs-budget", "Qwen/Qwen3-8B --no-enable-chunked-prefill --max-num-batched-tokens 2048", "0.18.0"
    )
    assert "2048" in found.message


def test_with_chunked_prefill_it_is_fine() -> None:
    quiet("chunked-off-needs-budget", "Qwen/Qwen3-8B --max-num-batched-tokens 2048", "0.18.0")


def test_a_default_budget_is_raised_on_its_own() -> None:
    quiet("chunked-off-needs-budget", "Qwen/Qwen3-8B --no-enable-chunked-prefill", "0.18.0")
