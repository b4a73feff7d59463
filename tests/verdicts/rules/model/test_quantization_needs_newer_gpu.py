from verdicts.harness import fires, not_checked, quiet


def test_an_h100_runs_mxfp4() -> None:
    quiet("quantization-needs-newer-gpu", "openai/gpt-oss-20b", "0.33.0")


def test_without_a_gpu_nothing_is_said() -> None:
    assert not_checked("quantization-needs-newer-gpu", "openai/gpt-oss-20b", "0.33.0", gpu=None) == ("gpu",)


def test_a_t4_is_too_old_for_a_method_asked_for() -> None:
    found = fires("quantization-needs-newer-gpu", "Qwen/Qwen3-8B --quantization experts_int8", "0.33.0", gpu="T4")
    assert "8.0" in found.message


def test_gptq_runs_plainly_on_a_device_its_marlin_kernels_are_too_new_for() -> None:
    for words in ("", " --quantization gptq"):
        quiet("quantization-needs-newer-gpu", f"Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4{words}", "0.11.0", gpu="T4")


def test_a_name_that_quantizes_on_load_runs_where_online_quantization_does() -> None:
    command = "Qwen/Qwen3-8B --dtype half --quantization mxfp4"
    fires("quantization-needs-newer-gpu", command, "0.27.0", gpu="T4")
    quiet("quantization-needs-newer-gpu", command, "0.28.0", gpu="T4")
