import pytest

from verdicts.harness import fires, not_checked, quiet, spec, tells

RULE = "reported-fault"
EAGLE = spec(method="eagle3", model="yuhuili/EAGLE3-LLaMA3.1-Instruct-8B", num_speculative_tokens=4)
DRAFTED = (
    "meta-llama/Llama-3.1-70B-Instruct -tp 8 --speculative-model meta-llama/Llama-3.1-8B-Instruct --num-speculative-tokens 5"
)


@pytest.mark.parametrize(
    ("number", "version", "gpu", "command"),
    [
        ("10136", "0.6.6", "8x H100-SXM", f"{DRAFTED} --enable-chunked-prefill"),
        ("15153", "0.8.0", "8x H200", "deepseek-ai/DeepSeek-R1 -tp 8 --num-speculative-tokens 3 --enable-chunked-prefill"),
        ("7714", "0.6.6", "A100-80GB", "meta-llama/Llama-3.1-8B-Instruct --kv-cache-dtype fp8 --enable-chunked-prefill"),
        ("17442", "0.8.5", "H100-SXM", "Qwen/Qwen3-8B --kv-cache-dtype fp8"),
        ("27969", "0.11.0", "H100-SXM", f"meta-llama/Llama-3.1-8B-Instruct {EAGLE}"),
        ("30461", "0.12.0", "2x H100-SXM", "Qwen/Qwen3-30B-A3B -tp 2 --enable-lora"),
        ("41623", "0.21.0", "8x H200", "deepseek-ai/DeepSeek-R1 -tp 8 --decode-context-parallel-size 4"),
    ],
)  # fmt: skip
def test_what_was_reported_is_told_with_its_thread(number: str, version: str, gpu: str, command: str) -> None:
    assert f"/{number}" in fires(RULE, command, version, gpu=gpu).message


def test_a_fault_without_a_switch_is_told_in_words() -> None:
    found = tells(RULE, "Qwen/Qwen3.6-35B-A3B --enable-prefix-caching", "0.26.0", gpu="H100-SXM")
    assert "no effect" in found.message


def test_other_releases_and_devices_are_not_concerned() -> None:
    quiet(RULE, "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.10.2")
    quiet(RULE, "Qwen/Qwen3-30B-A3B -tp 2 --enable-lora", "0.18.0")


def test_what_hangs_on_a_device_needs_it() -> None:
    assert not_checked(RULE, "Qwen/Qwen3-8B --kv-cache-dtype fp8", "0.8.5") == ("gpu",)
