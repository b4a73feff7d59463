from verdicts.harness import fires, quiet


def test_a_connector_keeps_windows_whole() -> None:
    fires(
        "connector-turns-hybrid-off",
        'google/gemma-3-27b-it --kv-transfer-config \'{"kv_connector":"NixlConnector","kv_role":"kv_both"}\'',
        "0.18.0",
    )


def test_a_model_without_windows_loses_nothing() -> None:
    quiet(
        "connector-turns-hybrid-off",
        'Qwen/Qwen3-8B --kv-transfer-config \'{"kv_connector":"NixlConnector","kv_role":"kv_both"}\'',
        "0.18.0",
    )
