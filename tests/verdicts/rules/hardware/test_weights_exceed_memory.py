from verdicts.harness import fires, quiet


def test_seventy_billion_do_not_fit_one_h100() -> None:
    found = fires("weights-exceed-memory", "meta-llama/Llama-3.1-70B-Instruct", "0.33.0", gpu="H100-SXM")
    assert "GiB of weights" in found.message


def test_they_fit_four() -> None:
    quiet("weights-exceed-memory", "meta-llama/Llama-3.1-70B-Instruct -tp 4", "0.33.0", gpu="4x H100-SXM")
