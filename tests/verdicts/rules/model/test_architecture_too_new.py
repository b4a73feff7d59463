from verdicts.harness import quiet, tells


def test_a_model_of_today_does_not_run_on_an_old_release() -> None:
    assert "GptOssForCausalLM" in tells("architecture-too-new", "openai/gpt-oss-20b", "0.9.2").message


def test_a_known_architecture_is_served() -> None:
    quiet("architecture-too-new", "Qwen/Qwen3-8B", "0.33.0")
