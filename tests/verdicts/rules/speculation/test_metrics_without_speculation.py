from verdicts.harness import fires, quiet, spec


def test_metrics_of_nothing_are_refused() -> None:
    fires("metrics-without-speculation", "Qwen/Qwen3-8B --per-request-spec-decode-metrics summary", "0.33.0")


def test_with_speculation_they_are_counted() -> None:
    quiet(
        "metrics-without-speculation",
        "Qwen/Qwen3-8B --per-request-spec-decode-metrics summary " + spec(method="ngram", num_speculative_tokens=3),
        "0.33.0",
    )
