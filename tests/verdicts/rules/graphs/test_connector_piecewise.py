from verdicts.harness import fires, quiet


def test_layers_are_waited_for() -> None:
    fires(
        "connector-piecewise",
        "Qwen/Qwen3-8B --kv-transfer-config "
        '\'{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both","kv_connector_extra_config":{"use_layerwise":true}}\'',
        "0.33.0",
    )


def test_whole_transfers_are_not() -> None:
    quiet(
        "connector-piecewise",
        'Qwen/Qwen3-8B --kv-transfer-config \'{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"}\'',
        "0.33.0",
    )
