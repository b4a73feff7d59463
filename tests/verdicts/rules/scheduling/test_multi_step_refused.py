import pytest

from verdicts.harness import fires, quiet

LLAMA = "vllm serve meta-llama/Llama-3.1-8B-Instruct --num-scheduler-steps 8"


@pytest.mark.parametrize(
    ("version", "command", "gpu"),
    [
        ("0.7.3", f"{LLAMA} --speculative-model [ngram] --num-speculative-tokens 3 --ngram-prompt-lookup-max 4", "H100-SXM"),
        ("0.8.5", f"{LLAMA} -pp 2 --enable-chunked-prefill", "8x H100-SXM"),
        ("0.7.3", f"VLLM_ATTENTION_BACKEND=XFORMERS {LLAMA}", "H100-SXM"),
        ("0.7.3", LLAMA, "V100-32GB"),
        ("0.7.3", f"{LLAMA} --enable-chunked-prefill", "MI300X"),
        ("0.6.6", f"VLLM_ATTENTION_BACKEND=FLASHINFER {LLAMA} --enable-chunked-prefill", "H100-SXM"),
        ("0.8.0", "deepseek-ai/DeepSeek-V2-Lite --num-scheduler-steps 8", "H100-SXM"),
    ],
)
def test_several_steps_ahead_do_not_go_with_it(version: str, command: str, gpu: str) -> None:
    fires("multi-step-refused", command, version, gpu=gpu)


def test_plain_decoding_goes_several_steps_ahead() -> None:
    quiet("multi-step-refused", LLAMA, "0.7.3")
