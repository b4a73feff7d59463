import pytest

from verdicts.harness import fires, quiet

LLAMA = "vllm serve meta-llama/Llama-3.1-8B-Instruct -tp 2"


@pytest.mark.parametrize(
    ("version", "command", "gpu"),
    [
        ("0.8.0", f"{LLAMA} --distributed-executor-backend mp", "8x TPU v5e"),
        ("0.6.6", f"{LLAMA} --worker-use-ray --distributed-executor-backend mp", "8x H100-SXM"),
        ("0.7.3", f"VLLM_USE_RAY_SPMD_WORKER=1 {LLAMA} --distributed-executor-backend mp", "8x H100-SXM"),
        ("0.7.3", f"VLLM_USE_RAY_SPMD_WORKER=1 {LLAMA} --distributed-executor-backend ray", "8x H100-SXM"),
        ("0.8.5", f"{LLAMA} --distributed-executor-backend external_launcher", "8x H100-SXM"),
    ],
)
def test_the_executor_must_fit(version: str, command: str, gpu: str) -> None:
    fires("executor-against-platform", command, version, gpu=gpu)


def test_processes_serve_nvidia() -> None:
    quiet("executor-against-platform", f"{LLAMA} --distributed-executor-backend mp", "0.8.0")
