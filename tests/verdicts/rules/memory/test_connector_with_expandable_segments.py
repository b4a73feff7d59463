from verdicts.harness import fires, quiet


def test_moved_pages_break_a_connector() -> None:
    fires(
        "connector-with-expandable-segments",
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True vllm serve Qwen/Qwen3-8B --kv-transfer-config "
        '\'{"kv_connector":"NixlConnector","kv_role":"kv_both"}\'',
        "0.33.0",
    )


def test_without_a_connector_pages_may_move() -> None:
    quiet(
        "connector-with-expandable-segments",
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True vllm serve Qwen/Qwen3-8B",
        "0.33.0",
    )
