from verdicts.harness import fires, quiet


def test_a_word_is_no_backend() -> None:
    assert "cuda" in fires("mamba-backend-unknown", "Qwen/Qwen3-8B --mamba-backend cuda", "0.33.0").message


def test_triton_is_there() -> None:
    quiet("mamba-backend-unknown", "Qwen/Qwen3-8B --mamba-backend triton", "0.33.0")
