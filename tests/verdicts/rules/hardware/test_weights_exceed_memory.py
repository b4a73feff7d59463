from verdicts.harness import fires, quiet, tells


def test_seventy_billion_do_not_fit_one_h100() -> None:
    found = fires("weights-exceed-memory", "meta-llama/Llama-3.1-70B-Instruct", "0.33.0", gpu="H100-SXM")
    assert "GiB of weights" in found.message


def test_they_fit_four() -> None:
    quiet("weights-exceed-memory", "meta-llama/Llama-3.1-70B-Instruct -tp 4", "0.33.0", gpu="4x H100-SXM")


def test_no_size_is_named_that_the_node_does_not_have() -> None:
    found = tells("weights-exceed-memory", "deepseek-ai/DeepSeek-V3 -tp 2", "0.33.0", gpu="2x H200")
    assert "At least 8 GPUs" in found.fix


def test_experts_spread_over_data_parallel_ranks_are_counted_once() -> None:
    spread = "deepseek-ai/DeepSeek-V3 --data-parallel-size 8"
    quiet("weights-exceed-memory", f"{spread} --enable-expert-parallel", "0.33.0", gpu="8x H200")
    tells("weights-exceed-memory", "deepseek-ai/DeepSeek-V3 -dp 2 --enable-expert-parallel", "0.33.0", gpu="2x H200")
