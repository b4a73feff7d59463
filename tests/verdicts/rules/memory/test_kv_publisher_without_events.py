from verdicts.harness import fires, quiet


def test_a_publisher_needs_events() -> None:
    fires(
        "kv-publisher-without-events",
        'Qwen/Qwen3-8B --kv-events-config \'{"enable_kv_cache_events":false,"publisher":"zmq"}\'',
        "0.33.0",
    )


def test_enabled_events_are_published() -> None:
    quiet(
        "kv-publisher-without-events",
        'Qwen/Qwen3-8B --kv-events-config \'{"enable_kv_cache_events":true,"publisher":"zmq"}\'',
        "0.33.0",
    )
