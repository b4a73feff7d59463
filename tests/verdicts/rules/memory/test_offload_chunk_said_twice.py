import json

from verdicts.harness import fires, quiet


def moved(**extra: int) -> str:
    config = {
        "kv_connector": "OffloadingConnector", "kv_role": "kv_both",
        "kv_connector_extra_config": {"cpu_bytes_to_use": 10**9, **extra},
    }  # fmt: skip
    return f"Qwen/Qwen3-8B --kv-transfer-config '{json.dumps(config)}'"


def test_tokens_and_blocks_are_one_too_many() -> None:
    fires("offload-chunk-said-twice", moved(block_size=64, blocks_per_chunk=4), "0.30.0")


def test_one_of_them_is_fine() -> None:
    quiet("offload-chunk-said-twice", moved(block_size=64), "0.30.0")
    quiet("offload-chunk-said-twice", moved(blocks_per_chunk=4), "0.30.0")
