from verdicts.harness import fires, quiet


def test_whisper_is_not_chunked() -> None:
    fires("encoder-decoder-unchunked", "openai/whisper-large-v3 --enable-chunked-prefill", "0.33.0")


def test_qwen_is() -> None:
    quiet("encoder-decoder-unchunked", "Qwen/Qwen3-8B --enable-chunked-prefill", "0.33.0")
