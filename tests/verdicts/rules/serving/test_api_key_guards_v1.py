from verdicts.harness import quiet, tells


def test_metrics_stay_open() -> None:
    assert "/v1" in tells("api-key-guards-v1", "Qwen/Qwen3-8B --api-key REDACTED", "0.33.0").message


def test_without_a_key_nothing_is_claimed() -> None:
    quiet("api-key-guards-v1", "Qwen/Qwen3-8B", "0.33.0")
