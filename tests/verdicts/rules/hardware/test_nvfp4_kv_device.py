from verdicts.harness import fires, quiet


def test_a_consumer_blackwell_cannot_read_it() -> None:
    assert "12.0" in fires("nvfp4-kv-device", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4", "0.29.0", gpu="RTX 5090").message


def test_a_b200_can() -> None:
    quiet("nvfp4-kv-device", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4", "0.29.0", gpu="B200")


def test_no_device_reads_it_before_0_21() -> None:
    fires("nvfp4-kv-device", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4", "0.20.0", gpu="B200")
    quiet("nvfp4-kv-device", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4", "0.21.0", gpu="B200")


def test_hopper_and_ampere_read_it_from_0_32_but_not_every_kind() -> None:
    for gpu in ("H100-SXM", "A100-80GB-SXM"):
        fires("nvfp4-kv-device", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4", "0.31.0", gpu=gpu)
        quiet("nvfp4-kv-device", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4", "0.32.0", gpu=gpu)
    fires("nvfp4-kv-device", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4_4over6", "0.33.0", gpu="H100-SXM")
    fires("nvfp4-kv-device", "openai/gpt-oss-20b --kv-cache-dtype nvfp4", "0.33.0", gpu="H100-SXM")


def test_the_way_out_is_a_type_the_device_reads() -> None:
    found = fires("nvfp4-kv-device", "Qwen/Qwen3-8B --kv-cache-dtype nvfp4 --dtype half", "0.33.0", gpu="T4")
    assert [step.action for step in found.steps] == ["drop"]
