from verdicts.configs import BITSANDBYTES_8
from verdicts.harness import fires, quiet


def test_eight_bits_cannot_be_captured() -> None:
    fires("bitsandbytes-eight-bit", "example/bnb", "0.18.0", model_config=BITSANDBYTES_8)


def test_an_ordinary_checkpoint_can() -> None:
    quiet("bitsandbytes-eight-bit", "Qwen/Qwen3-8B", "0.18.0")
