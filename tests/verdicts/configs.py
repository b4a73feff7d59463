"""config.json files of models that no catalogue holds, each with the one thing a rule looks at."""

from vllm_triage.domain import Json

__all__ = ["AWQ", "BERT", "BITSANDBYTES_8", "DENSE", "FP8_BLOCKS", "GPTQ_EXPERTS", "MOTIF", "MTP_OF_TWO"]

DENSE: dict[str, Json] = {
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 1024, "num_hidden_layers": 8,
    "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 64, "intermediate_size": 4096, "vocab_size": 32000,
    "max_position_embeddings": 32768, "torch_dtype": "bfloat16",
}  # fmt: skip

MTP_OF_TWO: dict[str, Json] = {
    "architectures": ["DeepseekV3ForCausalLM"], "model_type": "deepseek_v3", "hidden_size": 1024,
    "num_hidden_layers": 4, "num_attention_heads": 16, "num_key_value_heads": 16, "kv_lora_rank": 512,
    "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "intermediate_size": 4096, "vocab_size": 32000,
    "max_position_embeddings": 32768, "torch_dtype": "bfloat16", "num_nextn_predict_layers": 2, "n_routed_experts": 8,
    "num_experts_per_tok": 2, "moe_intermediate_size": 512, "first_k_dense_replace": 1,
}  # fmt: skip

BERT: dict[str, Json] = {
    "architectures": ["BertModel"], "model_type": "bert", "hidden_size": 768, "num_hidden_layers": 12,
    "num_attention_heads": 12, "intermediate_size": 3072, "vocab_size": 30522, "max_position_embeddings": 512,
    "torch_dtype": "float32",
}  # fmt: skip

BITSANDBYTES_8: dict[str, Json] = {
    **DENSE, "quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": True, "load_in_4bit": False},
}  # fmt: skip

MOTIF: dict[str, Json] = {**DENSE, "architectures": ["MotifForCausalLM"]}

AWQ: dict[str, Json] = {
    **DENSE, "intermediate_size": 3456, "quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 64},
}  # fmt: skip

FP8_BLOCKS: dict[str, Json] = {
    **DENSE, "intermediate_size": 3456, "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
}  # fmt: skip

GPTQ_EXPERTS: dict[str, Json] = {
    **DENSE, "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "num_experts": 16,
    "num_experts_per_tok": 2, "moe_intermediate_size": 1536, "decoder_sparse_step": 1, "mlp_only_layers": [],
    "quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128},
}  # fmt: skip
