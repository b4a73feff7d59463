from verdicts.harness import fires, quiet


def test_whisper_cannot_be_moved() -> None:
    fires(
        "connector-on-encoder-decoder",
        'openai/whisper-large-v3 --kv-transfer-config \'{"kv_connector":"NixlConnector","kv_role":"kv_both"}\'',
        "0.33.0",
    )


def test_a_decoder_can() -> None:
    quiet(
        "connector-on-encoder-decoder",
        'Qwen/Qwen3-8B --kv-transfer-config \'{"kv_connector":"NixlConnector","kv_role":"kv_both"}\'',
        "0.33.0",
    )
