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


def test_deepseeks_module_lost_its_stages_in_0_14_and_has_them_again_from_0_30() -> None:
    command = "deepseek-ai/DeepSeek-V3 -tp 4 -pp 2 " + spec(method="mtp", num_speculative_tokens=1)
    for version in ("0.14.0", "0.18.0", "0.29.0"):
        fires("draft-without-pipeline", command, version, gpu="8x H200")
    for version in ("0.13.0", "0.30.0", "0.33.0"):
        quiet("draft-without-pipeline", command, version, gpu="8x H200")
