import pytest

from verdicts.harness import fires, quiet

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.8.5", "--gpu-memory-utilization 1.1"),
        ("0.7.3", "--cpu-offload-gb -1"),
        ("0.7.3", "--num-scheduler-steps 0"),
        ("0.8.5", "--enable-lora --max-lora-rank 7"),
        ("0.8.5", "--enable-lora --lora-extra-vocab-size 100"),
        ("0.8.5", "--enable-prompt-adapter --max-prompt-adapters 0 --max-prompt-adapter-token 10"),
        ("0.7.3", "--enable-prompt-adapter --max-prompt-adapter-token 0"),
        ("0.10.0", "--num-redundant-experts -1"),
    ],
)
def test_a_number_out_of_range_is_refused(version: str, words: str) -> None:
    fires("number-refused-early", f"{LLAMA} {words}", version)


def test_a_rank_without_adapters_is_not_looked_at() -> None:
    quiet("number-refused-early", f"{LLAMA} --max-lora-rank 7", "0.8.5")


def test_numbers_within_their_range_pass() -> None:
    quiet("number-refused-early", f"{LLAMA} --gpu-memory-utilization 1.0 --enable-lora --max-lora-rank 64", "0.8.5")
