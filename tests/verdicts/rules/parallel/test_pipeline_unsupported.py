from verdicts.harness import fires, quiet


def test_whisper_has_no_stages() -> None:
    assert "Whisper" in fires("pipeline-unsupported", "openai/whisper-large-v3 -pp 2", "0.33.0").message


def test_llama_has() -> None:
    quiet("pipeline-unsupported", "meta-llama/Llama-3.1-8B-Instruct -pp 2", "0.33.0")
