import pytest

from verdicts.harness import fires, quiet

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.8.0", "--guided-decoding-backend llguide"),
        ("0.10.0", "--guided-decoding-backend outlines --guided-decoding-disable-any-whitespace"),
        ("0.10.0", "--guided-decoding-backend xgrammar --guided-decoding-disable-additional-properties"),
    ],
)
def test_a_backend_without_the_option_is_refused(version: str, words: str) -> None:
    fires("guided-option-backend", f"{LLAMA} {words}", version)


def test_a_backend_with_it_runs() -> None:
    quiet("guided-option-backend", f"{LLAMA} --guided-decoding-backend guidance --guided-decoding-disable-any-whitespace", "0.10.0")
