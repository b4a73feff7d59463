from verdicts.harness import fires, not_checked, quiet

SPREAD = "deepseek-ai/DeepSeek-V4-Flash -tp 8 --decode-context-parallel-size 2"


def test_compressed_latents_are_not_split_over_ranks() -> None:
    fires("dcp-compressed-latents", SPREAD, "0.28.0", gpu="8x H200")
    quiet("dcp-compressed-latents", SPREAD, "0.33.0", gpu="8x H200")
    quiet("dcp-compressed-latents", "deepseek-ai/DeepSeek-V3 -tp 8 --decode-context-parallel-size 2", "0.28.0")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("dcp-compressed-latents", "acme/nobody-knows -tp 8 -dcp 2", "0.28.0") == ("model",)
