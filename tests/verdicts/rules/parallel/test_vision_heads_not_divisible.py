from verdicts.configs import DENSE
from verdicts.harness import fires, not_checked, quiet
from vllm_triage.domain import Json

TWELVE: dict[str, Json] = {
    **DENSE, "architectures": ["Glm4vForConditionalGeneration"], "model_type": "glm4v", "num_key_value_heads": 8,
    "vision_config": {"depth": 24, "hidden_size": 1536, "num_heads": 12},
}  # fmt: skip


def test_an_encoder_is_split_over_the_same_ranks() -> None:
    found = fires("vision-heads-not-divisible", "acme/glm-4v -tp 8", "0.18.0", model_config=TWELVE)
    assert "12 heads" in found.message
    fires("vision-heads-not-divisible", "Qwen/Qwen3.5-27B -tp 3", "0.26.0", gpu="3x H100-SXM")
    fires("vision-heads-not-divisible", "acme/glm-4v -tp 8", "0.10.0", model_config=TWELVE)


def test_an_encoder_held_whole_is_not_split() -> None:
    quiet("vision-heads-not-divisible", "acme/glm-4v -tp 8 --mm-encoder-tp-mode data", "0.18.0", model_config=TWELVE)
    quiet("vision-heads-not-divisible", "acme/glm-4v -tp 4", "0.18.0", model_config=TWELVE)
    quiet("vision-heads-not-divisible", "Qwen/Qwen3-8B -tp 8", "0.18.0")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("vision-heads-not-divisible", "acme/nobody-knows -tp 8") == ("model",)
