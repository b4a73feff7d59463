from verdicts.configs import BITSANDBYTES_8, DENSE
from verdicts.harness import fires, not_checked, quiet


def test_a_checkpoint_of_bitsandbytes_is_not_cut() -> None:
    fires("bitsandbytes-tensor-parallel", "acme/bnb -tp 2", "0.11.0", model_config=BITSANDBYTES_8)
    fires("bitsandbytes-tensor-parallel", "unsloth/Qwen3-8B-bnb-4bit -tp 2", "0.10.2")
    quiet("bitsandbytes-tensor-parallel", "acme/bnb -pp 2", "0.11.0", model_config=BITSANDBYTES_8)
    quiet("bitsandbytes-tensor-parallel", "acme/bnb -tp 2", "0.28.0", model_config=BITSANDBYTES_8)


def test_weights_quantized_while_they_are_read_are() -> None:
    quiet("bitsandbytes-tensor-parallel", "acme/plain -tp 2 --quantization bitsandbytes", "0.11.0", model_config=DENSE)


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("bitsandbytes-tensor-parallel", "acme/nobody-knows -tp 2", "0.11.0") == ("model",)
