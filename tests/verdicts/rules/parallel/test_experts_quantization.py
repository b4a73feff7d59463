from verdicts.harness import fires, not_checked, quiet

AWQ = "Qwen/Qwen3-30B-A3B-AWQ -tp 2 --enable-expert-parallel"
NVFP4 = "nvidia/Qwen3-30B-A3B-NVFP4 -tp 2 --enable-expert-parallel"


def test_marlin_took_no_map_of_experts_at_first() -> None:
    fires("experts-quantization", AWQ, "0.8.4", gpu="2x A100-80GB-SXM")
    quiet("experts-quantization", AWQ, "0.8.5", gpu="2x A100-80GB-SXM")
    quiet("experts-quantization", "Qwen/Qwen3-30B-A3B-AWQ -tp 2", "0.8.4", gpu="2x A100-80GB-SXM")


def test_nvfp4_experts_of_blackwell_took_none_in_0_9() -> None:
    fires("experts-quantization", NVFP4, "0.9.1", gpu="2x B200")
    quiet("experts-quantization", NVFP4, "0.9.1", gpu="2x H100-SXM")


def test_an_unknown_device_is_not_judged() -> None:
    assert "gpu" in not_checked("experts-quantization", AWQ, "0.8.4")
