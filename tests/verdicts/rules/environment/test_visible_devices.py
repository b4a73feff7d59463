from verdicts.harness import fires, quiet


def test_devices_are_named_by_number_or_by_name() -> None:
    fires("visible-devices", "Qwen/Qwen3-8B --device-ids 0,GPU-abc", "0.28.0")
    quiet("visible-devices", "Qwen/Qwen3-8B -tp 2 --device-ids 0,1", "0.28.0")


def test_numbers_count_within_the_visible_ones() -> None:
    fires("visible-devices", "CUDA_VISIBLE_DEVICES=4,5 vllm serve Qwen/Qwen3-8B --device-ids 5", "0.28.0")
    quiet("visible-devices", "CUDA_VISIBLE_DEVICES=4,5 vllm serve Qwen/Qwen3-8B --device-ids 1", "0.28.0")


def test_rocm_wants_its_two_variables_to_agree() -> None:
    both = "HIP_VISIBLE_DEVICES=0,1 CUDA_VISIBLE_DEVICES=2,3 vllm serve Qwen/Qwen3-8B"
    fires("visible-devices", both, "0.28.0", gpu="8x MI300X")
    quiet("visible-devices", both, "0.28.0")
