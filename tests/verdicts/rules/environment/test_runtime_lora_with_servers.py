from verdicts.harness import fires, quiet


def test_servers_would_disagree() -> None:
    fires(
        "runtime-lora-with-servers",
        "VLLM_ALLOW_RUNTIME_LORA_UPDATING=1 vllm serve Qwen/Qwen3-8B --enable-lora --api-server-count 4",
        "0.33.0",
    )


def test_one_server_cannot() -> None:
    quiet(
        "runtime-lora-with-servers",
        "VLLM_ALLOW_RUNTIME_LORA_UPDATING=1 vllm serve Qwen/Qwen3-8B --enable-lora",
        "0.33.0",
    )
