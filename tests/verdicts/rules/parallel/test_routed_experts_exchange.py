from verdicts.harness import fires, quiet


def test_experts_are_recorded_on_one_rank() -> None:
    fires(
        "routed-experts-exchange",
        "deepseek-ai/DeepSeek-V3 -tp 8 --decode-context-parallel-size 2 --enable-return-routed-experts",
        "0.31.0",
    )


def test_without_context_ranks_they_are() -> None:
    quiet("routed-experts-exchange", "deepseek-ai/DeepSeek-V3 -tp 8 --enable-return-routed-experts", "0.31.0")


def test_a_dense_model_has_no_experts() -> None:
    found = fires("routed-experts-exchange", "Qwen/Qwen3-8B --enable-return-routed-experts", "0.33.0")
    assert "dense" in found.message


def test_connectors_move_blocks_away() -> None:
    moved = """--kv-transfer-config '{"kv_connector":"OffloadingConnector","kv_role":"kv_both"}'"""
    command = f"deepseek-ai/DeepSeek-V3 -tp 8 --enable-return-routed-experts {moved}"
    fires("routed-experts-exchange", command, "0.26.0")
    quiet("routed-experts-exchange", command, "0.33.0")
