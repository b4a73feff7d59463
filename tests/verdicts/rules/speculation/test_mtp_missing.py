from verdicts.harness import fires, quiet, spec


def test_llama_has_no_module() -> None:
    found = fires(
        "mtp-missing", "meta-llama/Llama-3.1-8B-Instruct " + spec(method="mtp", num_speculative_tokens=1), "0.33.0"
    )
    assert "llama" in found.message


def test_deepseek_ships_one() -> None:
    quiet("mtp-missing", "deepseek-ai/DeepSeek-V3 -tp 8 " + spec(method="mtp", num_speculative_tokens=1), "0.33.0")
