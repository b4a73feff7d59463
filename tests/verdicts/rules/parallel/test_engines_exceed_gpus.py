from verdicts.harness import fires, quiet


def test_two_engines_need_two_gpus() -> None:
    assert "need 2" in fires("engines-exceed-gpus", "Qwen/Qwen3-30B-A3B -dp 2", "0.33.0", gpu="1x H100-SXM").message


def test_two_gpus_hold_two_engines() -> None:
    quiet("engines-exceed-gpus", "Qwen/Qwen3-30B-A3B -dp 2", "0.33.0", gpu="2x H100-SXM")
