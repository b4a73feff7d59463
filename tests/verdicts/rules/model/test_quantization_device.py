import pytest

from verdicts.configs import AWQ
from verdicts.harness import fires, quiet, tells

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"


@pytest.mark.parametrize(
    ("version", "method", "gpu"),
    [("0.9.0", "bitsandbytes", "MI300X"), ("0.8.5", "awq", "TPU v5e"), ("0.14.0", "bitsandbytes", "MI300X"), ("0.6.6", "marlin", "MI300X")],
)
def test_a_platform_takes_the_methods_of_its_list(version: str, method: str, gpu: str) -> None:
    fires("quantization-device", f"{LLAMA} --quantization {method}", version, gpu=gpu)


def test_a_checkpoint_is_held_to_it_too() -> None:
    tells("quantization-device", "a/b", "0.9.0", gpu="TPU v5e", model_config=AWQ)
    quiet("quantization-device", "a/b", "0.9.0", gpu="MI300X", model_config=AWQ)


def test_nvidia_has_no_list() -> None:
    quiet("quantization-device", f"{LLAMA} --quantization bitsandbytes", "0.9.0")
