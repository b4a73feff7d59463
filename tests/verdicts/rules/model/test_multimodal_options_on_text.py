import pytest

from verdicts.harness import fires, not_checked, quiet

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.8.5", "--limit-mm-per-prompt image=2"),
        ("0.9.0", "--mm-processor-kwargs '{\"num_crops\":4}'"),
        ("0.9.0", "--disable-mm-preprocessor-cache"),
    ],
)
def test_a_text_model_takes_no_options_for_images(version: str, words: str) -> None:
    fires("multimodal-options-on-text", f"{LLAMA} {words}", version)


def test_a_model_that_sees_takes_them() -> None:
    quiet("multimodal-options-on-text", "Qwen/Qwen2-VL-7B-Instruct --limit-mm-per-prompt image=2", "0.8.5",
          model_config={
              "architectures": ["Qwen2VLForConditionalGeneration"], "model_type": "qwen2_vl", "hidden_size": 3584,
              "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4, "intermediate_size": 18944,
              "vocab_size": 152064, "max_position_embeddings": 32768, "torch_dtype": "bfloat16",
          })  # fmt: skip


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("multimodal-options-on-text", "a/b --limit-mm-per-prompt image=2", "0.8.5", "H100-SXM") == ("model",)


def test_a_name_that_only_resembles_a_listed_model_is_not_judged() -> None:
    seeing = "Qwen/Qwen2.5-VL-7B-Instruct --limit-mm-per-prompt image=2"
    assert not_checked("multimodal-options-on-text", seeing, "0.8.5", "H100-SXM") == ("model",)
