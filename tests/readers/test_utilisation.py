import pytest

from vllm_triage.readers.utilisation import gpu_utilisation, ignored


@pytest.mark.parametrize(
    "text",
    [
        "DCGM_FI_DEV_GPU_UTIL",
        "nvidia_smi_utilization_gpu_ratio",
        "GPU-Util",
        "GPU utilization 98%",
        "nvidia-smi shows 97% utilization",
        "nvidia_gpu_duty_cycle",
        "utilization.gpu",
    ],
)
def test_every_name_of_gpu_utilisation_is_known(text: str) -> None:
    assert gpu_utilisation(text)
    assert ignored(text).why.startswith("gpu-util-ignored")


@pytest.mark.parametrize(
    "text",
    [
        "--gpu-memory-utilization 0.9",
        "gpu_memory_utilization",
        "vllm:gpu_cache_usage_perc",
        "KV cache utilization 98%",
        "GPU KV cache usage: 12%",
    ],
)
def test_memory_and_cache_are_no_gpu_utilisation(text: str) -> None:
    assert gpu_utilisation(text) is None
