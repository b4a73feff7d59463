from verdicts.harness import fires, quiet


def test_outputs_are_logged_with_requests() -> None:
    fires("log-outputs-without-requests", "Qwen/Qwen3-8B --enable-log-outputs", "0.33.0")


def test_both_together_are_fine() -> None:
    quiet("log-outputs-without-requests", "Qwen/Qwen3-8B --enable-log-outputs --enable-log-requests", "0.33.0")
