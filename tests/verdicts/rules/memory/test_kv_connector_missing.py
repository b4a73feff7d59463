from verdicts.harness import fires, quiet


def test_nothing_moves_the_cache() -> None:
    fires("kv-connector-missing", "Qwen/Qwen3-8B --kv-transfer-config '{}'", "0.33.0")


def test_a_connector_does() -> None:
    quiet(
        "kv-connector-missing",
        'Qwen/Qwen3-8B --kv-transfer-config \'{"kv_connector":"OffloadingConnector","kv_role":"kv_both"}\'',
        "0.33.0",
    )
