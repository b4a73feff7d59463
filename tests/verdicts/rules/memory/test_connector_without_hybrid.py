from verdicts.harness import fires, quiet


def test_an_external_connector_keeps_windows_whole() -> None:
    found = fires(
        "connector-without-hybrid",
        'google/gemma-3-27b-it --kv-transfer-config \'{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"}\'',
        "0.33.0",
    )
    assert "LMCacheConnectorV1" in found.message


def test_the_offloading_connector_does_not() -> None:
    quiet(
        "connector-without-hybrid",
        'google/gemma-3-27b-it --kv-transfer-config \'{"kv_connector":"OffloadingConnector","kv_role":"kv_both"}\'',
        "0.33.0",
    )
