import pytest

from verdicts.harness import fires, quiet

LLAMA = "vllm serve meta-llama/Llama-3.1-8B-Instruct"
RULE = "early-release-refuses"


@pytest.mark.parametrize(
    ("version", "command"),
    [
        ("0.6.3.post1", f"{LLAMA} --enable-lora --enable-chunked-prefill"),
        ("0.6.0", f"{LLAMA} --num-scheduler-steps 8 --enable-chunked-prefill"),
        ("0.6.0", f"{LLAMA} -tp 2 --quantization bitsandbytes --load-format bitsandbytes"),
        ("0.6.0", f"{LLAMA} --speculative-model meta-llama/Llama-3.2-1B-Instruct --num-speculative-tokens 3"),
        ("0.6.3.post1", f"VLLM_ATTENTION_BACKEND=FLASHINFER {LLAMA} --enable-chunked-prefill"),
    ],
)
def test_what_came_later_is_refused(version: str, command: str) -> None:
    fires(RULE, command, version)


def test_adapters_are_chunked_from_0_6_5() -> None:
    quiet(RULE, f"{LLAMA} --enable-lora --enable-chunked-prefill", "0.6.6")
