import pytest

from verdicts.harness import fires, quiet

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.7.3", "--quantization bitsandbytes --load-format safetensors"),
        ("0.7.3", "--quantization bitsandbytes"),
        ("0.7.3", "--quantization fp8 --load-format bitsandbytes"),
        ("0.8.5", "--quantization fp8 --qlora-adapter-name-or-path a/b"),
    ],
)
def test_method_and_loader_must_both_be_bitsandbytes(version: str, words: str) -> None:
    fires("bitsandbytes-pairing", f"{LLAMA} {words}", version)


def test_both_together_run() -> None:
    quiet("bitsandbytes-pairing", f"{LLAMA} --quantization bitsandbytes --load-format bitsandbytes", "0.7.3")
    quiet("bitsandbytes-pairing", f"{LLAMA} --quantization bitsandbytes", "0.8.5")
