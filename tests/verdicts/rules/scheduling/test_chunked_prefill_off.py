from verdicts.harness import fires, not_checked, quiet


def test_turning_it_off_is_not_supported() -> None:
    fires("chunked-prefill-off", "Qwen/Qwen3-8B --no-enable-chunked-prefill", "0.31.0")


def test_it_is_on_by_default() -> None:
    quiet("chunked-prefill-off", "Qwen/Qwen3-8B", "0.31.0")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked(
        "chunked-prefill-off", "nobody/unheard-of --no-enable-chunked-prefill", "0.31.0", gpu="H100"
    ) == ("model",)
