from verdicts.harness import fires, not_checked, quiet

CACHED = "deepseek-ai/DeepSeek-R1 -tp 8 --enable-prefix-caching"


def test_latents_were_served_without_a_prefix_cache_at_first() -> None:
    found = fires("latents-caching-off", CACHED, "0.7.3", gpu="8x H200")
    assert found.changed[0].got is False
    quiet("latents-caching-off", CACHED, "0.8.5", gpu="8x H200")
    quiet("latents-caching-off", "Qwen/Qwen2.5-7B-Instruct --enable-prefix-caching", "0.7.3")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("latents-caching-off", "acme/nobody-knows --enable-prefix-caching", "0.7.3") == ("model",)
