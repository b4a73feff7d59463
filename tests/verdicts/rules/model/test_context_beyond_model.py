from verdicts.harness import fires, not_checked, quiet


def test_a_context_beyond_the_trained_one_is_refused() -> None:
    assert "40960" in fires("context-beyond-model", "Qwen/Qwen3-8B --max-model-len 131072", "0.33.0").message


def test_the_trained_context_is_accepted() -> None:
    quiet("context-beyond-model", "Qwen/Qwen3-8B --max-model-len 40960", "0.33.0")


def test_the_environment_may_force_it() -> None:
    quiet(
        "context-beyond-model",
        "VLLM_ALLOW_LONG_MAX_MODEL_LEN=1 vllm serve Qwen/Qwen3-8B --max-model-len 131072",
        "0.33.0",
    )


def test_a_dated_re_release_may_have_another_context() -> None:
    asked = "Qwen/Qwen3-30B-A3B-Instruct-2507 --max-model-len 262144"
    assert not_checked("context-beyond-model", asked, "0.33.0", gpu="H100") in ((), ("model",))
