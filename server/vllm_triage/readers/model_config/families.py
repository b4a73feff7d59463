"""Which architectures attend how.

A model is recognised by the ``architectures`` entry or the ``model_type`` of its text part, else of the whole config.
Adding a model that attends as its neighbours do is one name here; a new kind of attention is a function in
``layers.py``, ``hybrids.py`` or ``latent.py``.
"""

import functools

__all__ = ["CAUSAL_LM", "HEAD_DIM_IGNORED", "LATENT", "POOLING", "UNGATED", "family_of"]

LATENT = frozenset(
    {
        "axk1",
        "deepseek_v2",
        "deepseek_v3",
        "deepseek_v32",
        "deepseek_mtp",
        "glm_moe_dsa",
        "glm4_moe_lite",
        "glm4_moe_lite_mtp",
        "kimi_k2",
        "longcat_flash",
        "pangu_ultra_moe",
        "deepseek_vl_v2",
        "sarvam_mla",
        "openpangu_ultra_moe",
        "hy_v4",
        "longcat_flash_ngram",
        "mistral_large_3",
    }
)
"""Model types vLLM serves with one latent per token, where ``kv_lora_rank`` is there (``is_deepseek_mla``)."""

_HYBRID = """
falcon_h1 mamba falcon_mamba mamba2 qwen3_next qwen3_5 qwen3_5_moe qwen3_5_text qwen3_5_moe_text kimi_linear
nemotron_h nemotron_h_puzzle granitemoehybrid bamba jamba minimax minimax_text_01 minimax_m1 lfm2 lfm2_moe olmo_hybrid
bailing_hybrid zamba2 plamo2 FalconH1ForCausalLM MambaForCausalLM FalconMambaForCausalLM Mamba2ForCausalLM
Qwen3NextForCausalLM Qwen3_5ForConditionalGeneration Qwen3_5MoeForConditionalGeneration Qwen3_5ForCausalLM
Qwen3_5MoeForCausalLM KimiLinearForCausalLM NemotronHForCausalLM NemotronHPuzzleForCausalLM
GraniteMoeHybridForCausalLM BambaForCausalLM JambaForCausalLM JambaForSequenceClassification MiniMaxText01ForCausalLM
MiniMaxM1ForCausalLM MiniMaxForCausalLM Lfm2ForCausalLM Lfm2MoeForCausalLM OlmoHybridForCausalLM
BailingMoeV2_5ForCausalLM BailingMoeV3ForCausalLM qwen4_exp qwen4_exp_text Qwen4ExpForCausalLM
Qwen4ExpForConditionalGeneration alice_ai AliceAIForCausalLM Zamba2ForCausalLM glm5_next glm5_next_text
Glm5NextForCausalLM Glm5NextForConditionalGeneration
"""
"""Recurrent state in some or all layers."""

_SPECIAL = """
gemma3n_text Gemma3nForCausalLM gemma4 gemma4_text Gemma4ForCausalLM mimo_v2 mimo_v2_flash MiMoV2ForCausalLM
MiMoV2FlashForCausalLM step3p5 step3p7 Step3p5ForCausalLM Step3p7FlashForCausalLM nemotron-nas DeciLMForCausalLM
gemma4_unified_text Gemma4UnifiedForConditionalGeneration iquest_loopcoder IQuestLoopCoderForCausalLM minimax_m3
minimax_m3_text minimax_m3_vl minimax_m3_vl_text MiniMaxM3ForCausalLM MiniMaxM3SparseForCausalLM
MiniMaxM3SparseForConditionalGeneration minicpm3 MiniCPM3ForCausalLM whisper WhisperForConditionalGeneration
step3_text Step3TextForCausalLM diffusion_gemma_text DiffusionGemmaForBlockDiffusion hrm_text HrmTextForCausalLM
inkling_model inkling_text inkling_mm_model InklingForCausalLM InklingForConditionalGeneration dory DoryForCausalLM
cohere_asr CohereAsrForConditionalGeneration nemotron_parse NemotronParseForConditionalGeneration
"""
"""Attention that differs from layer to layer in its own way."""

_PLAIN = """
llama LlamaForCausalLM LLaMAForCausalLM InternLM3ForCausalLM internlm3 IQuestCoderForCausalLM TeleChat3ForCausalLM
mistral MistralForCausalLM ministral ministral3 Ministral3ForCausalLM mixtral MixtralForCausalLM qwen QWenLMHeadModel
qwen2 Qwen2ForCausalLM qwen2_moe Qwen2MoeForCausalLM qwen3 Qwen3ForCausalLM qwen3_moe Qwen3MoeForCausalLM qwen2_vl
qwen2_vl_text qwen2_5_vl qwen2_5_vl_text qwen3_vl qwen3_vl_text qwen3_vl_moe qwen3_vl_moe_text qwen2_audio
qwen2_5_omni_text qwen3_omni_moe_text qwen2_5_omni_thinker Qwen2VLForConditionalGeneration
Qwen2_5_VLForConditionalGeneration gemma GemmaForCausalLM gemma2 Gemma2ForCausalLM gemma3 gemma3_text
Gemma3ForCausalLM Rnj1ForCausalLM gpt_oss GptOssForCausalLM llama4 llama4_text Llama4ForCausalLM granite
GraniteForCausalLM GraniteSWAForCausalLM granitemoe GraniteMoeForCausalLM granitemoeshared GraniteMoeSharedForCausalLM
GraniteMoeSWAForCausalLM phi PhiForCausalLM phi3 Phi3ForCausalLM phi3_small phimoe PhiMoEForCausalLM phi4mm phi3_v
Phi3VForCausalLM Phi4MMForCausalLM olmo OlmoForCausalLM olmo2 Olmo2ForCausalLM olmo3 Olmo3ForCausalLM olmoe
OlmoeForCausalLM cohere CohereForCausalLM cohere2 Cohere2ForCausalLM cohere2_moe Cohere2MoeForCausalLM chatglm
ChatGLMModel ChatGLMForConditionalGeneration glm GlmForCausalLM glm4 Glm4ForCausalLM glm4_moe Glm4MoeForCausalLM
glm4v_text glm4v_moe_text glm4v glm4v_moe glm_ocr_text GLM4VForCausalLM falcon RefinedWeb RefinedWebModel
FalconForCausalLM bloom BloomForCausalLM gpt2 GPT2LMHeadModel gptj GPTJForCausalLM gpt_neox GPTNeoXForCausalLM
gpt_bigcode GPTBigCodeForCausalLM mpt MPTForCausalLM opt OPTForCausalLM starcoder2 Starcoder2ForCausalLM stablelm
StableLmForCausalLM StableLMEpochForCausalLM persimmon PersimmonForCausalLM internlm InternLMForCausalLM internlm2
InternLM2ForCausalLM baichuan BaichuanForCausalLM BaiChuanForCausalLM orion OrionForCausalLM aquila AquilaForCausalLM
AquilaModel xverse XverseForCausalLM decilm dbrx DbrxForCausalLM minicpm MiniCPMForCausalLM minimax_m2
MiniMaxM2ForCausalLM mimo MiMoForCausalLM seed_oss SeedOssForCausalLM smollm3 SmolLM3ForCausalLM arcee
ArceeForCausalLM ernie4_5 Ernie4_5ForCausalLM ernie4_5_moe Ernie4_5_MoeForCausalLM ernie4_5_vl_moe_text
hunyuan_v1_dense HunYuanDenseV1ForCausalLM hunyuan_v1_moe HunYuanMoEV1ForCausalLM hunyuan nemotron NemotronForCausalLM
dots1 Dots1ForCausalLM exaone ExaoneForCausalLM exaone4 Exaone4ForCausalLM exaone_moe ExaoneMoeForCausalLM
ExaoneMoEForCausalLM apertus ApertusForCausalLM afmoe AfmoeForCausalLM laguna LagunaForCausalLM bailing_moe
BailingMoeForCausalLM BailingMoeV2ForCausalLM bailing_moe_v2 solar SolarForCausalLM telechat TeleChatForCausalLM
telechat2 TeleChat2ForCausalLM teleflm TeleFLMForCausalLM hyperclovax HyperCLOVAXForCausalLM flex_olmo
FlexOlmoForCausalLM gpt_neo jais JAISLMHeadModel arctic ArcticForCausalLM deepseek DeepseekForCausalLM deepseek_v2
DeepseekV2ForCausalLM deepseek_v3 DeepseekV3ForCausalLM plamo3 Plamo3ForCausalLM param2moe Param2MoEForCausalLM
sarvam_moe SarvamMoEForCausalLM step1 Step1ForCausalLM hy_v3 HYV3ForCausalLM grok-1 Grok1ModelForCausalLM
Grok1ForCausalLM FairseqGPT2LMHeadModel openelm aria_text cwm CwmForCausalLM jais2 Jais2ForCausalLM mellum
MellumForCausalLM vaultgemma VaultGemmaForCausalLM NanbeigeForCausalLM Kolibri1ForCausalLM paddleocr_vl
paddleocr_vl_text PaddleOCRVLForConditionalGeneration hunyuan_vl_text emu3_text_model chameleon phi4_multimodal
Phi4MultimodalForCausalLM muse_glimmer_text MuseGlimmerForCausalLM cohere_compass_text beam BeamForCausalLM flint
FlintForCausalLM PanguEmbeddedForCausalLM MiniCPMV MiniCPMO KeyeForConditionalGeneration
KeyeVL1_5ForConditionalGeneration IsaacForConditionalGeneration DotsOCRForCausalLM MolmoForCausalLM solar_open
SolarOpenForCausalLM moondream3_text voxtral_realtime_text deepseek_ocr2_text InternLM2ForRewardModel
cosmos3_edge_text qwen3_asr_text gpt-sw3 GPT2ForSequenceClassification LlamaModel MistralModel Qwen2Model
Gemma2Model Gemma3TextModel LlamaBidirectionalModel LlamaBidirectionalForSequenceClassification
"""
"""Multi-head, grouped-query or multi-query attention: full, or in a window or chunk where the config says so."""

_COMPRESSED = "deepseek_v4 DeepseekV4ForCausalLM DeepseekV4ForConditionalGeneration"
"""A window over latents, and latents that stand for several tokens."""

_ENCODER = """
bert BertModel BertForMaskedLM BertForSequenceClassification BertForTokenClassification BertSpladeSparseEmbeddingModel
roberta RobertaModel RobertaForMaskedLM RobertaForSequenceClassification xlm-roberta XLMRobertaModel
XLMRobertaForSequenceClassification modernbert ModernBertModel ModernBertForSequenceClassification
ModernBertForTokenClassification nomic_bert NomicBertModel gte GteModel GteNewModel new NewModel
GteNewForSequenceClassification BgeM3EmbeddingModel HF_ColBERT distilbert electra jina-bert ernie ErnieModel
embedding_gemma2_text EmbeddingGemma2Model openai_privacy_filter OpenAIPrivacyFilterForTokenClassification
RobertaForTokenClassification XLMRobertaForTokenClassification ErnieForSequenceClassification
ErnieForTokenClassification clip_text_model siglip_text_model
"""
"""Bidirectional attention: nothing is kept between steps."""

HEAD_DIM_IGNORED = frozenset(
    [
        "qwen2",
        "qwen2_moe",
        "bloom",
        "chatglm",
        "falcon",
        "gpt2",
        "gptj",
        "granitemoe",
        "granitemoehybrid",
        "internlm2",
        "jamba",
        "lfm2",
        "lfm2_moe",
        "dbrx",
        "opt",
        "stablelm",
        "phi",
        "starcoder2",
        "gpt_neox",
        "gpt_bigcode",
        "mpt",
        "baichuan",
        "olmo_hybrid",
    ]
)
"""Model types whose vLLM class always takes ``hidden_size / num_attention_heads``, whatever ``head_dim`` says."""

UNGATED = frozenset(
    [
        "gpt2",
        "opt",
        "phi",
        "falcon",
        "bloom",
        "gptj",
        "gpt_neox",
        "gpt_bigcode",
        "mpt",
        "starcoder2",
        "whisper",
        "nemotron",
        "nemotron_h",
        "nemotron_h_puzzle",
        "persimmon",
        "bert",
        "roberta",
        "xlm-roberta",
        "arcee",
        "apertus",
        "jais2",
        "cohere_asr",
        "nemotron_parse",
        "gpt-sw3",
        "cosmos3_edge_text",
    ]
)
"""Model types whose feed-forward has two matrices, not three."""

POOLING = (
    "EmbeddingModel",
    "ForSequenceClassification",
    "ForRewardModel",
    "ForProcessRewardModel",
    "ForTokenClassification",
    "ForRetrieval",
    "ForRanking",
    "BidirectionalModel",
)
"""Ends of architecture names that serve embeddings, scores or classes."""

CAUSAL_LM = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "ChatModel")
"""Ends of architecture names that generate text."""


@functools.cache
def _members() -> dict[str, str]:
    """Family by name."""
    listed = (
        ("encoder", _ENCODER),
        ("plain", _PLAIN),
        ("special", _SPECIAL),
        ("hybrid", _HYBRID),
        ("compressed", _COMPRESSED),
    )
    return {name: family for family, names in listed for name in names.split()}


def family_of(*names: str) -> str | None:
    """The family of the first name that is known: ``plain``, ``special``, ``hybrid`` or ``encoder``; None when none is.

    >>> family_of("", "Qwen3ForCausalLM")
    'plain'
    """
    members = _members()
    return next((members[name] for name in names if name in members), None)
