from verdicts.harness import fires, not_checked, quiet

POOLING = "Qwen/Qwen3-VL-8B-Instruct --runner pooling --renderer-num-workers 4"


def test_renderers_of_a_pooling_model_share_a_cache() -> None:
    fires("renderers-share-cache", POOLING, "0.28.0")
    quiet("renderers-share-cache", f"{POOLING} --mm-processor-cache-gb 0", "0.28.0")


def test_models_that_generate_were_refused_before_0_27() -> None:
    command = "Qwen/Qwen3-VL-8B-Instruct --renderer-num-workers 4"
    fires("renderers-share-cache", command, "0.25.0")
    quiet("renderers-share-cache", command, "0.28.0")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("renderers-share-cache", "acme/nobody-knows --renderer-num-workers 4", "0.25.0") == ("model",)
