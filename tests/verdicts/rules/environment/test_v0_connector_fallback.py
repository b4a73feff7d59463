from verdicts.harness import fires, quiet


def test_connectors_were_v0() -> None:
    fires(
        "v0-connector-fallback",
        'Qwen/Qwen2.5-7B-Instruct --kv-transfer-config \'{"kv_connector":"LMCacheConnector","kv_role":"kv_both"}\'',
        "0.8.5",
    )


def test_without_one_v1_runs() -> None:
    quiet("v0-connector-fallback", "Qwen/Qwen2.5-7B-Instruct", "0.8.5")
