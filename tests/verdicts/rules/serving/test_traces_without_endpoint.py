from verdicts.harness import fires, quiet


def test_traces_need_somewhere_to_go() -> None:
    fires("traces-without-endpoint", "Qwen/Qwen3-8B --collect-detailed-traces all", "0.33.0")


def test_with_an_endpoint_they_are_sent() -> None:
    quiet(
        "traces-without-endpoint",
        "Qwen/Qwen3-8B --collect-detailed-traces all --otlp-traces-endpoint http://collector:4317",
        "0.33.0",
    )
