from verdicts.harness import fires, quiet

SPREAD = "-tp 8 --decode-context-parallel-size 2 --kv-cache-dtype"


def test_the_query_was_not_gathered_in_8_bits() -> None:
    fires("dcp-fp8-kv", f"deepseek-ai/DeepSeek-V3 {SPREAD} fp8", "0.18.0", gpu="8x H200")
    fires("dcp-fp8-kv", f"deepseek-ai/DeepSeek-V3 {SPREAD} fp8", "0.11.0", gpu="8x H200")
    quiet("dcp-fp8-kv", f"deepseek-ai/DeepSeek-V3 {SPREAD} fp8", "0.28.0", gpu="8x H200")
    quiet("dcp-fp8-kv", f"deepseek-ai/DeepSeek-V3 {SPREAD} auto", "0.18.0", gpu="8x H200")


def test_other_attention_is_not_asked() -> None:
    quiet("dcp-fp8-kv", f"Qwen/Qwen3-235B-A22B {SPREAD} fp8", "0.18.0", gpu="8x H200")
