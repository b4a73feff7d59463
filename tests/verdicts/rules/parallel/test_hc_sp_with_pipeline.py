from verdicts.harness import fires, quiet

V4 = "deepseek-ai/DeepSeek-V4-Flash -tp 4 --enable-hc-sp"


def test_stages_are_refused() -> None:
    fires("hc-sp-with-pipeline", f"{V4} -pp 2", "0.33.0", gpu="8x H200")


def test_one_stage_is_fine() -> None:
    quiet("hc-sp-with-pipeline", V4, "0.33.0", gpu="8x H200")
