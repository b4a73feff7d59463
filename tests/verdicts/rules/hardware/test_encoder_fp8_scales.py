from verdicts.harness import fires, not_checked, quiet

VISION = "Qwen/Qwen3-VL-8B-Instruct"
READ = "--mm-encoder-fp8-scale-path /scales.json"
FP8 = "--mm-encoder-attn-dtype fp8"


def test_scales_belong_to_fp8_attention() -> None:
    fires("encoder-fp8-scales", f"{VISION} {READ}", "0.28.0")
    quiet("encoder-fp8-scales", f"{VISION} {READ} {FP8}", "0.28.0")


def test_scales_are_read_or_saved() -> None:
    fires("encoder-fp8-scales", f"{VISION} {READ} {FP8} --mm-encoder-fp8-scale-save-path /new.json", "0.33.0")


def test_a_model_of_text_or_an_unknown_one_is_not_judged() -> None:
    quiet("encoder-fp8-scales", f"Qwen/Qwen3-8B {READ}", "0.28.0")
    assert not_checked("encoder-fp8-scales", f"acme/nobody-knows {READ}", "0.28.0") == ("model",)
