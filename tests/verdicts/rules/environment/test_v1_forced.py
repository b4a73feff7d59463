import pytest

from verdicts.harness import fires, quiet, spec

LLAMA = "vllm serve meta-llama/Llama-3.1-8B-Instruct"


@pytest.mark.parametrize(
    ("version", "words", "gpu"),
    [
        ("0.8.5", "--preemption-mode swap", "H100-SXM"),
        ("0.9.0", "--num-scheduler-steps 8", "H100-SXM"),
        ("0.9.0", "--kv-cache-dtype fp8", "A100-80GB"),
        ("0.8.5", "", "T4"),
        ("0.7.3", "--num-scheduler-steps 8", "H100-SXM"),
        ("0.7.2", "--dtype half", "V100-32GB"),
        ("0.9.0", f"-tp 4 {spec(method='ngram', num_speculative_tokens=3, prompt_lookup_max=4)}", "8x MI300X"),
    ],
)
def test_what_v1_does_not_have_is_refused_where_v1_is_forced(version: str, words: str, gpu: str) -> None:
    fires("v1-forced", f"VLLM_USE_V1=1 {LLAMA} {words}", version, gpu=gpu)


def test_without_the_variable_the_older_engine_runs() -> None:
    quiet("v1-forced", f"{LLAMA} --preemption-mode swap", "0.8.5")


def test_what_v1_has_is_not_refused() -> None:
    quiet("v1-forced", f"VLLM_USE_V1=1 {LLAMA} --kv-cache-dtype fp8", "0.9.0")


def test_the_first_v1_has_no_latent_attention() -> None:
    fires("v1-forced", "VLLM_USE_V1=1 vllm serve deepseek-ai/DeepSeek-V3 -tp 8", "0.7.2", gpu="8x H200")
