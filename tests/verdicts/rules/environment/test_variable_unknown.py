from verdicts.harness import fires, quiet


def test_a_misspelt_variable_is_named() -> None:
    found = fires("variable-unknown", "VLLM_LOGING_LEVEL=DEBUG vllm serve Qwen/Qwen3-8B", "0.33.0")
    assert "VLLM_LOGGING_LEVEL" in found.message


def test_the_right_one_is_read() -> None:
    quiet("variable-unknown", "VLLM_LOGGING_LEVEL=DEBUG vllm serve Qwen/Qwen3-8B", "0.33.0")
