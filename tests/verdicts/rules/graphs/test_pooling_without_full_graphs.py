from verdicts.harness import fires, quiet


def test_pooling_is_piecewise() -> None:
    fires(
        "pooling-without-full-graphs",
        'Qwen/Qwen3-8B --runner pooling --compilation-config \'{"cudagraph_mode":"FULL"}\'',
        "0.33.0",
    )


def test_generation_may_be_full() -> None:
    quiet("pooling-without-full-graphs", 'Qwen/Qwen3-8B --compilation-config \'{"cudagraph_mode":"FULL"}\'', "0.33.0")
