"""Which architectures and model types attend how."""

__all__ = ["DENSE", "HYBRID", "LATENT", "POOLING", "SLIDING"]

LATENT = frozenset({
    "axk1", "deepseek_v2", "deepseek_v3", "deepseek_v32", "deepseek_mtp", "glm_moe_dsa", "glm4_moe_lite", "kimi_k2",
    "kimi_linear", "longcat_flash", "pangu_ultra_moe", "bailing_hybrid", "deepseek_vl_v2", "kimi_vl", "kimi_k25", "glm4_moe_lite_mtp",
})  # fmt: skip
"""Model types vLLM serves with latent attention when ``kv_lora_rank`` is there."""

HYBRID = frozenset({
    "FalconH1ForCausalLM", "falcon_h1", "MambaForCausalLM", "mamba", "FalconMambaForCausalLM", "falcon_mamba", "Mamba2ForCausalLM",
    "mamba2", "Qwen3NextForCausalLM", "qwen3_next", "Qwen3_5ForConditionalGeneration", "Qwen3_5MoeForConditionalGeneration",
    "Qwen3_5ForCausalLM", "Qwen3_5MoeForCausalLM", "qwen3_5", "qwen3_5_moe", "qwen3_5_text", "qwen3_5_moe_text", "KimiLinearForCausalLM",
    "kimi_linear", "NemotronHForCausalLM", "nemotron_h", "GraniteMoeHybridForCausalLM", "granitemoehybrid", "BambaForCausalLM",
    "bamba", "JambaForCausalLM", "jamba", "MiniMaxText01ForCausalLM", "MiniMaxM1ForCausalLM", "MiniMaxForCausalLM", "minimax",
    "minimax_text_01", "minimax_m1", "Lfm2ForCausalLM", "lfm2", "Lfm2MoeForCausalLM", "lfm2_moe",
})  # fmt: skip
"""Recurrent state in some or all layers."""

SLIDING = frozenset({
    "Gemma2ForCausalLM", "gemma2", "Gemma3ForCausalLM", "Gemma3ForConditionalGeneration", "gemma3", "gemma3_text", "GptOssForCausalLM",
    "gpt_oss", "Cohere2ForCausalLM", "cohere2", "Llama4ForCausalLM", "Llama4ForConditionalGeneration", "llama4", "llama4_text",
    "Olmo3ForCausalLM", "olmo3", "Exaone4ForCausalLM", "exaone4",
})  # fmt: skip
"""Windows or chunks in some layers by the architecture's own rule."""

DENSE = frozenset({
    "LlamaForCausalLM", "llama", "MistralForCausalLM", "mistral", "Mistral3ForConditionalGeneration", "mistral3", "ministral3",
    "MixtralForCausalLM", "mixtral", "Qwen2ForCausalLM", "qwen2", "Qwen2MoeForCausalLM", "qwen2_moe", "Qwen3ForCausalLM", "qwen3",
    "Qwen3MoeForCausalLM", "qwen3_moe", "Qwen2VLForConditionalGeneration", "Qwen2_5_VLForConditionalGeneration",
    "Qwen3VLForConditionalGeneration", "Qwen3VLMoeForConditionalGeneration", "GraniteForCausalLM", "granite", "GraniteMoeForCausalLM",
    "Phi3ForCausalLM", "phi3", "PhiForCausalLM", "phi", "Olmo2ForCausalLM", "olmo2", "OlmoeForCausalLM", "GemmaForCausalLM", "gemma",
    "CohereForCausalLM", "cohere", "Glm4MoeForCausalLM", "glm4_moe", "Glm4ForCausalLM", "glm4", "ChatGLMModel", "FalconForCausalLM",
    "falcon", "GPT2LMHeadModel", "gpt2", "OPTForCausalLM", "opt", "InternVLChatModel", "LlavaForConditionalGeneration",
    "LlavaNextForConditionalGeneration", "MiniMaxM2ForCausalLM", "minimax_m2", "StarCoder2ForCausalLM", "starcoder2", "DbrxForCausalLM",
    "InternLM2ForCausalLM", "internlm2", "BaichuanForCausalLM", "StableLmForCausalLM", "stablelm", "SeedOssForCausalLM", "seed_oss",
    "Ernie4_5ForCausalLM", "Ernie4_5_MoeForCausalLM", "HunYuanDenseV1ForCausalLM", "HunYuanMoEV1ForCausalLM", "NemotronForCausalLM",
    "nemotron", "SmolLM3ForCausalLM", "smollm3", "ArceeForCausalLM", "PixtralForConditionalGeneration", "MiMoForCausalLM", "Dots1ForCausalLM",
})  # fmt: skip
"""Full attention in every layer, or one window for all of them."""

POOLING = ("EmbeddingModel", "ForSequenceClassification", "ForRewardModel", "ForTokenClassification", "ForRetrieval", "ForRanking")
"""Ends of architecture names that serve embeddings, scores or classes."""
