from verdicts.harness import fires, quiet


def test_no_statistics_means_no_metrics() -> None:
    fires("request-metrics-without-stats", "Qwen/Qwen3-8B --enable-per-request-metrics --disable-log-stats", "0.33.0")


def test_statistics_are_on_by_default() -> None:
    quiet("request-metrics-without-stats", "Qwen/Qwen3-8B --enable-per-request-metrics", "0.33.0")
