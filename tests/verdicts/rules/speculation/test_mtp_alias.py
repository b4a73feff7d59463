from verdicts.harness import fires, quiet, spec


def test_the_family_s_own_name_is_old() -> None:
    found = fires(
        "mtp-alias", "deepseek-ai/DeepSeek-V3 -tp 8 " + spec(method="deepseek_mtp", num_speculative_tokens=1), "0.33.0"
    )
    assert "deepseek_mtp" in found.message


def test_mtp_is_the_name() -> None:
    quiet("mtp-alias", "deepseek-ai/DeepSeek-V3 -tp 8 " + spec(method="mtp", num_speculative_tokens=1), "0.33.0")
