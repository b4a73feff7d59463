from verdicts.harness import fires, not_checked, quiet

VISION = "Qwen/Qwen3-VL-8B-Instruct --mm-encoder-attn-backend"


def test_flex_attention_has_no_encoder() -> None:
    fires("encoder-attention-backend", f"{VISION} FLEX_ATTENTION", "0.28.0")
    quiet("encoder-attention-backend", f"{VISION} TORCH_SDPA", "0.28.0")


def test_triton_came_with_a_later_release() -> None:
    fires("encoder-attention-backend", f"{VISION} TRITON_ATTN", "0.14.0")
    quiet("encoder-attention-backend", f"{VISION} TRITON_ATTN", "0.28.0")


def test_a_model_without_an_encoder_is_left_alone() -> None:
    quiet("encoder-attention-backend", "Qwen/Qwen3-8B --mm-encoder-attn-backend FLEX_ATTENTION", "0.28.0")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("encoder-attention-backend", f"{VISION} FLEX_ATTENTION", "0.28.0") == ("gpu",)
