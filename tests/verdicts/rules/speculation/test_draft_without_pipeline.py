from verdicts.harness import fires, quiet, spec


def test_a_module_without_stages_stops() -> None:
    found = fires(
        "draft-without-pipeline",
        "deepseek-ai/DeepSeek-V4-Flash -pp 3 " + spec(method="mtp", num_speculative_tokens=1),
        "0.29.0",
    )
    assert "DeepSeekV4MTPModel" in found.message


def test_ranks_are_fine() -> None:
    quiet(
        "draft-without-pipeline",
        "deepseek-ai/DeepSeek-V4-Flash -tp 4 " + spec(method="mtp", num_speculative_tokens=1),
        "0.29.0",
    )
