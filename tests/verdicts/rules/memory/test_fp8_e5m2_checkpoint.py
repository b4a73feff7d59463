from verdicts.harness import fires, quiet
from vllm_triage.domain import Json


def test_e5m2_does_not_take_scales() -> None:
    fires("fp8-e5m2-checkpoint", "Qwen/Qwen3-32B-FP8 --kv-cache-dtype fp8_e5m2", "0.33.0")


def test_e4m3_does() -> None:
    quiet("fp8-e5m2-checkpoint", "Qwen/Qwen3-32B-FP8 --kv-cache-dtype fp8", "0.33.0")


def test_weights_quantized_on_load_have_scales_until_online_quantization_takes_them_over() -> None:
    command = "Qwen/Qwen3-8B --quantization fp8 --kv-cache-dtype fp8_e5m2"
    assert "on load" in fires("fp8-e5m2-checkpoint", command, "0.18.0").message
    fires("fp8-e5m2-checkpoint", command, "0.30.0")
    quiet("fp8-e5m2-checkpoint", command, "0.31.0")


def test_compressed_tensors_without_a_cache_scheme_take_it_from_0_24() -> None:
    command = "RedHatAI/Qwen3-8B-FP8-dynamic --kv-cache-dtype fp8_e5m2"
    config: dict[str, Json] = {
        "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 4096, "num_hidden_layers": 36,
        "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 12288,
        "vocab_size": 151936, "max_position_embeddings": 40960, "torch_dtype": "bfloat16",
        "quantization_config": {
            "quant_method": "compressed-tensors", "format": "float-quantized", "ignore": ["lm_head"],
            "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float"}}},
        },
    }  # fmt: skip
    fires("fp8-e5m2-checkpoint", command, "0.23.0", model_config=config)
    quiet("fp8-e5m2-checkpoint", command, "0.24.0", model_config=config)


def test_latent_attention_asks_no_scales_from_0_11_1() -> None:
    command = "deepseek-ai/DeepSeek-V3 --kv-cache-dtype fp8_e5m2"
    fires("fp8-e5m2-checkpoint", command, "0.11.0")
    quiet("fp8-e5m2-checkpoint", command, "0.18.0")
