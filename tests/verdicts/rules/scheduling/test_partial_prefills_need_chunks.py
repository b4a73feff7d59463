import pytest

from verdicts.harness import fires, quiet

LLAMA = "meta-llama/Llama-3.1-8B-Instruct --max-model-len 8192"


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.7.3", "--max-num-partial-prefills 2"),
        ("0.8.5", "--max-num-partial-prefills 2 --max-long-partial-prefills 4 --enable-chunked-prefill"),
        ("0.8.5", "--max-num-partial-prefills 2 --enable-chunked-prefill --long-prefill-token-threshold 16384"),
    ],
)
def test_prefills_beside_each_other_need_chunks_and_room(version: str, words: str) -> None:
    fires("partial-prefills-need-chunks", f"{LLAMA} {words}", version)


def test_with_chunks_they_run() -> None:
    quiet("partial-prefills-need-chunks", f"{LLAMA} --max-num-partial-prefills 2 --enable-chunked-prefill", "0.8.5")
