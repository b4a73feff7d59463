from verdicts.harness import fires, quiet


def test_a_switch_is_a_number() -> None:
    found = fires("variable-refused", "VLLM_ENABLE_V1_MULTIPROCESSING=true vllm serve Qwen/Qwen3-8B", "0.33.0")
    assert "whole number" in found.message


def test_one_is_on() -> None:
    quiet("variable-refused", "VLLM_ENABLE_V1_MULTIPROCESSING=1 vllm serve Qwen/Qwen3-8B", "0.33.0")
