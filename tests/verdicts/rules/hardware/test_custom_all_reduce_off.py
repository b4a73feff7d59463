from verdicts.harness import fires, quiet


def test_four_l40s_share_pcie() -> None:
    assert "no NVLink" in fires("custom-all-reduce-off", "Qwen/Qwen3-8B -tp 4", "0.33.0", gpu="4x L40S").message


def test_four_h100_have_nvlink() -> None:
    quiet("custom-all-reduce-off", "Qwen/Qwen3-8B -tp 4", "0.33.0", gpu="4x H100-SXM")
