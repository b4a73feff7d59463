from verdicts.harness import fires, quiet


def test_four_kv_heads_do_not_go_over_seven_ranks() -> None:
    fires("kv-heads-not-divisible", "Qwen/Qwen2.5-7B-Instruct -tp 7", "0.10.0", gpu="8x H100-SXM")


def test_they_go_over_four_or_fourteen() -> None:
    quiet("kv-heads-not-divisible", "Qwen/Qwen2.5-7B-Instruct -tp 4", "0.10.0")
    quiet("kv-heads-not-divisible", "Qwen/Qwen2.5-7B-Instruct -tp 28", "0.10.0", gpu="28x H100-SXM")
