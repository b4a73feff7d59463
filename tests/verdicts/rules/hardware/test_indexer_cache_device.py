from verdicts.harness import fires, not_checked, quiet

FOUR = """deepseek-ai/DeepSeek-V3.2 -tp 8 --attention-config '{"indexer_kv_dtype":"mxfp4"}'"""


def test_the_index_is_four_bits_on_data_centre_blackwell() -> None:
    fires("indexer-cache-device", FOUR, "0.28.0", gpu="8x H200")
    quiet("indexer-cache-device", FOUR, "0.28.0", gpu="8x B200")
    quiet("indexer-cache-device", FOUR.replace("mxfp4", "fp8"), "0.28.0", gpu="8x H200")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("indexer-cache-device", FOUR, "0.28.0") == ("gpu",)
