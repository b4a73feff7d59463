from verdicts.harness import fires, quiet


def test_gemma_overflows_in_float16() -> None:
    assert "gemma-3-1b-it" in fires("float16-unstable", "google/gemma-3-1b-it --dtype float16", "0.33.0").message


def test_qwen_does_not() -> None:
    quiet("float16-unstable", "Qwen/Qwen3-8B --dtype float16", "0.33.0")
