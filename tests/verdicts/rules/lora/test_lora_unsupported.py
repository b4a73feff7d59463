from verdicts.harness import fires, quiet


def test_deepseek_v2_of_0_9_takes_no_adapters() -> None:
    assert "DeepseekV3" in fires("lora-unsupported", "deepseek-ai/DeepSeek-V3 -tp 8 --enable-lora", "0.9.2").message


def test_llama_does() -> None:
    quiet("lora-unsupported", "meta-llama/Llama-3.1-8B-Instruct --enable-lora", "0.33.0")
