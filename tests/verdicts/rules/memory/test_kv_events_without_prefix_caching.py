from verdicts.harness import fires, quiet


def test_no_cached_block_means_no_event() -> None:
    fires(
        "kv-events-without-prefix-caching",
        "Qwen/Qwen3-8B --no-enable-prefix-caching --kv-events-config "
        '\'{"enable_kv_cache_events":true,"publisher":"zmq"}\'',
        "0.33.0",
    )


def test_cached_blocks_make_events() -> None:
    quiet(
        "kv-events-without-prefix-caching",
        'Qwen/Qwen3-8B --kv-events-config \'{"enable_kv_cache_events":true,"publisher":"zmq"}\'',
        "0.33.0",
    )
