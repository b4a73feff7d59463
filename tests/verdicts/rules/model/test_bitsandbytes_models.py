from verdicts.harness import fires, not_checked, quiet

_BNB = "--quantization bitsandbytes --load-format bitsandbytes"


def test_experts_have_no_method_before_0_10() -> None:
    found = fires("bitsandbytes-models", f"mistralai/Mixtral-8x7B-v0.1 {_BNB}", "0.8.5")
    assert "experts" in found.message


def test_a_class_that_does_not_say_what_it_packs() -> None:
    assert "Olmo2" in fires("bitsandbytes-models", f"allenai/OLMo-2-1124-7B {_BNB}", "0.8.5").message


def test_llama_could_be_read_early() -> None:
    quiet("bitsandbytes-models", f"meta-llama/Llama-3.1-8B-Instruct {_BNB}", "0.6.6")


def test_without_bitsandbytes() -> None:
    quiet("bitsandbytes-models", "mistralai/Mixtral-8x7B-v0.1", "0.8.5")


def test_experts_from_0_10() -> None:
    quiet("bitsandbytes-models", f"mistralai/Mixtral-8x7B-v0.1 {_BNB}", "0.10.0")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("bitsandbytes-models", f"nobody/unheard-of {_BNB}", "0.8.5") == ("model",)
