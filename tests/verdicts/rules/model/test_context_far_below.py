from verdicts.harness import fires, quiet


def test_a_quarter_million_tokens_must_fit_once() -> None:
    assert "262144" in fires("context-far-below", "Qwen/Qwen3-Coder-480B-A35B-Instruct -tp 8", "0.33.0").message


def test_a_given_length_is_meant() -> None:
    quiet("context-far-below", "Qwen/Qwen3-Coder-480B-A35B-Instruct -tp 8 --max-model-len 65536", "0.33.0")
