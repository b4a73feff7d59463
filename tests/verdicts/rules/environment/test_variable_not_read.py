from verdicts.harness import fires, quiet


def test_the_backend_is_a_flag_now() -> None:
    found = fires("variable-not-read", "VLLM_ATTENTION_BACKEND=FLASHINFER vllm serve Qwen/Qwen3-8B", "0.33.0")
    assert "VLLM_ATTENTION_BACKEND" in found.message


def test_it_was_read_in_0_11() -> None:
    quiet("variable-not-read", "VLLM_ATTENTION_BACKEND=FLASHINFER vllm serve Qwen/Qwen3-8B", "0.11.2")
