from verdicts.harness import fires, quiet, spec


def test_llama_has_no_module() -> None:
    found = fires(
        "mtp-missing", "meta-llama/Llama-3.1-8B-Instruct " + spec(method="mtp", num_speculative_tokens=1), "0.33.0"
    )
    assert "llama" in found.message


def test_deepseek_ships_one() -> None:
    quiet("mtp-missing", "deepseek-ai/DeepSeek-V3 -tp 8 " + spec(method="mtp", num_speculative_tokens=1), "0.33.0")


def test_a_multimodal_model_is_looked_up_by_its_whole_configs_type() -> None:
    quiet("mtp-missing", "Qwen/Qwen3.5-9B " + spec(method="mtp", num_speculative_tokens=1), "0.20.0")
