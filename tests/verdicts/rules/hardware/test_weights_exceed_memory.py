from verdicts.harness import fires, quiet, tells


def test_seventy_billion_do_not_fit_one_h100() -> None:
    found = fires("weights-exceed-memory", "meta-llama/Llama-3.1-70B-Instruct", "0.33.0", gpu="H100-SXM")
    assert "GiB of weights" in found.message


def test_they_fit_four() -> None:
    quiet("weights-exceed-memory", "meta-llama/Llama-3.1-70B-Instruct -tp 4", "0.33.0", gpu="4x H100-SXM")


def test_no_size_is_named_that_the_node_does_not_have() -> None:
    found = tells("weights-exceed-memory", "deepseek-ai/DeepSeek-V3 -tp 2", "0.33.0", gpu="2x H200")
    assert "At least 8 GPUs" in found.fix
