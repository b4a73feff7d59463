import pytest

from verdicts.configs import DENSE
from verdicts.harness import fires, not_checked, quiet, tells
from vllm_triage.domain import Json

LLAMA = {**DENSE, "architectures": ["LlamaForCausalLM"], "model_type": "llama"}
GEMMA = "google/gemma-2-9b-it"
ALIBI: dict[str, Json] = {
    "architectures": ["BloomForCausalLM"], "model_type": "bloom", "hidden_size": 2048, "n_layer": 24, "n_head": 16,
    "num_hidden_layers": 24, "num_attention_heads": 16, "vocab_size": 250880, "torch_dtype": "float16",
}  # fmt: skip


def heads_of(size: int) -> dict[str, Json]:
    return {**LLAMA, "head_dim": size}


def test_tpus_take_whole_heads_of_128_without_alibi_or_caps() -> None:
    assert "multiple of 128" in tells("early-attention-refuses", "a/b", "0.8.0", gpu="TPU v5e", model_config=heads_of(64)).message
    assert "ALiBi" in tells("early-attention-refuses", "a/b", "0.9.0", gpu="TPU v5e", model_config=ALIBI).message
    tells("early-attention-refuses", GEMMA, "0.7.3", gpu="TPU v5e")
    quiet("early-attention-refuses", "a/b", "0.8.0", gpu="TPU v5e", model_config=heads_of(128))


def test_amd_has_no_soft_cap_in_its_triton_kernel() -> None:
    fires("early-attention-refuses", GEMMA, "0.8.5", gpu="MI300X")
    tells("early-attention-refuses", GEMMA, "0.6.6", gpu="MI300X")
    quiet("early-attention-refuses", f"VLLM_USE_TRITON_FLASH_ATTN=0 vllm serve {GEMMA}", "0.8.5", gpu="MI300X")


@pytest.mark.parametrize(("version", "gpu", "size"), [("0.8.5", "MI300X", 160), ("0.8.5", "CPU", 160)])
def test_paged_attention_has_a_list_of_head_sizes(version: str, gpu: str, size: int) -> None:
    tells("early-attention-refuses", "a/b", version, gpu=gpu, model_config=heads_of(size))


def test_v1_took_flash_attention_for_every_head_size() -> None:
    fires("early-attention-refuses", "microsoft/phi-2", "0.8.5", gpu="H100-SXM")
    quiet("early-attention-refuses", "VLLM_USE_V1=0 vllm serve microsoft/phi-2", "0.8.5", gpu="H100-SXM")
    quiet("early-attention-refuses", "microsoft/phi-2", "0.9.2", gpu="H100-SXM")


def test_v1_kernels_read_whole_sixteens() -> None:
    fires("early-attention-refuses", "Qwen/Qwen2.5-7B-Instruct --block-size 8", "0.8.5", gpu="H100-SXM")


def test_encoders_need_one_of_two_backends_on_v0() -> None:
    fires("early-attention-refuses", "VLLM_ATTENTION_BACKEND=FLASHINFER vllm serve openai/whisper-large-v3", "0.8.5", gpu="H100-SXM")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("early-attention-refuses", "microsoft/phi-2", "0.8.5") == ("gpu",)


def test_a_backend_of_another_device() -> None:
    line = "VLLM_ATTENTION_BACKEND=TORCH_SDPA vllm serve meta-llama/Llama-3.1-8B-Instruct"
    assert "another device" in fires("early-attention-refuses", line, "0.7.3", gpu="H100").message
    quiet("early-attention-refuses", line.replace("TORCH_SDPA", "XFORMERS"), "0.7.3", gpu="H100")
