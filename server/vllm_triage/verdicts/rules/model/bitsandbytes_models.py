"""bitsandbytes for a model that could not be read with it yet.

## What happens
The engine stops while it builds or loads the model.

## Why
The loader needs to know which of a model's matrices are stored as one, and each class had to tell it. Layers of experts
had no bitsandbytes method at all.

## Versions
<0.10

## Evidence
- vllm/model_executor/layers/quantization/bitsandbytes.py, get_quant_method: None for FusedMoE (0.6.6.post1 to 0.9.2), which
  its constructor asserts; vllm/model_executor/model_loader/utils.py, mixtral_supported
- vllm/model_executor/model_loader/loader.py, BitsAndBytesModelLoader: bitsandbytes_stacked_params_mapping (0.6.6.post1 line
  1011), packed_modules_mapping (0.7.3 line 1053, 0.8.5 line 1151); bitsandbytes_loader.py (0.9.2 line 451)
- https://github.com/vllm-project/vllm/issues/7713 and 9901 and 16121

## Fix
Take --quantization bitsandbytes out, or use a newer release.
"""

from ...context import Context
from ...rule import Hit, drop, rule

_READ_IN_066 = frozenset({
    "AquilaForCausalLM", "AquilaModel", "BaiChuanForCausalLM", "BaichuanForCausalLM", "DeciLMForCausalLM",
    "ExaoneForCausalLM", "FalconForCausalLM", "Gemma2ForCausalLM", "Gemma2Model", "GemmaForCausalLM",
    "GlmForCausalLM", "GraniteForCausalLM", "GritLM", "Idefics3ForConditionalGeneration", "InternLMForCausalLM",
    "LLaMAForCausalLM", "LlamaForCausalLM", "LlamaModel", "LlavaForConditionalGeneration",
    "MantisForConditionalGeneration", "MiniCPM3ForCausalLM", "MiniCPMForCausalLM", "MistralForCausalLM",
    "MistralModel", "MllamaForConditionalGeneration", "NemotronForCausalLM", "OPTForCausalLM", "Phi3ForCausalLM",
    "PhiForCausalLM", "Qwen2ForCausalLM", "Qwen2ForSequenceClassification", "RWForCausalLM", "SolarForCausalLM",
    "TeleChat2ForCausalLM", "XverseForCausalLM",
})  # fmt: skip
"""What 0.6.6 could read; releases before it could read no more."""
_NOT_READ = frozenset({
    "DbrxForCausalLM", "FalconMambaForCausalLM", "GPT2LMHeadModel", "GPTJForCausalLM", "GPTNeoXForCausalLM",
    "JAISLMHeadModel", "MPTForCausalLM", "MambaForCausalLM", "MptForCausalLM", "Olmo2ForCausalLM",
    "OlmoForCausalLM", "OrionForCausalLM", "PersimmonForCausalLM", "Phi3SmallForCausalLM",
    "StableLMEpochForCausalLM", "StableLmForCausalLM", "Starcoder2ForCausalLM",
})  # fmt: skip
"""What no release of 0.7 to 0.9 could read; they differ in the classes that see or hear."""


@rule("fatal", flags=("--quantization",), needs=("model",))
def check(ctx: Context) -> Hit | None:
    model = ctx.need_model()
    stored = model.quantization is not None and model.quantization.method == "bitsandbytes"
    if ctx.arg("quantization") != "bitsandbytes" and not stored:
        return None
    early = not ctx.at_least(0, 7) and model.architecture is not None and model.architecture not in _READ_IN_066
    if model.moe is None and not early and model.architecture not in _NOT_READ:
        return None
    what = "experts" if model.moe is not None else model.architecture
    return Hit(
        message=f"vLLM {ctx.version} reads no {what} with bitsandbytes ({model.id}).",
        effect="vLLM stops while it builds or loads the model.",
        flags=("--quantization",),
        steps=() if stored else (drop("--quantization"), drop("--load-format")),
        fix="Take a checkpoint that is quantized otherwise, or vLLM 0.10 or newer." if stored else "",
    )
