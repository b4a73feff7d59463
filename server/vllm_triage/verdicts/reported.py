"""Faults that people reported of two things together, each with the releases it was seen in.

One row is one kind of fault: what the launch must have, in the words of :data:`FEATURES`, and where it was reported. The
order of a row's features is the order they are asked in, so those a launch tells by itself come before those that need
its model or its device.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..domain import FixStep
from .context import Context, Needs
from .engines import runs_v0
from .rule import drop, drop_env, put, set_env

__all__ = ["FEATURES", "REPORTS", "Report", "applies"]

Outcome = Literal["crash", "hang", "wrong output", "slow", "no effect"]


@dataclass(frozen=True, slots=True)
class Report:
    """One kind of fault."""

    features: tuple[str, ...]
    versions: str
    what: str
    """What was combined, in words that can follow "With"."""
    outcome: Outcome
    source: str
    """The public thread."""
    steps: tuple[FixStep, ...]
    """The edit that was reported to help."""


def _on_v0(ctx: Context) -> bool:
    old = runs_v0(ctx)
    if old is None:
        raise Needs("gpu")
    return old


def _method(*names: str) -> Callable[[Context], bool]:
    return lambda ctx: ctx.spec is not None and ctx.spec.method in names


def _capability(test: Callable[[tuple[int, int]], bool]) -> Callable[[Context], bool]:
    def asked(ctx: Context) -> bool:
        have = ctx.need_capability()
        return have is not None and test(have)

    return asked


def _connector(*names: str) -> Callable[[Context], bool]:
    return lambda ctx: ctx.mapping("kv_transfer_config").get("kv_connector") in names


def _exchange(*names: str) -> Callable[[Context], bool]:
    return lambda ctx: (ctx.arg("all2all_backend") or ctx.env.get("VLLM_ALL2ALL_BACKEND")) in names


def _quantized(*starts: str) -> Callable[[Context], bool]:
    def asked(ctx: Context) -> bool:
        stored = ctx.need_model().quantization
        method = ctx.arg("quantization") or (None if stored is None else stored.method)
        return isinstance(method, str) and method.replace("-", "_").startswith(starts)

    return asked


def _four_bits(ctx: Context) -> bool:
    model = ctx.need_model()
    stored = model.quantization
    return stored is not None and (stored.weight_bits or 16) < 6 and "nvfp4" in f"{model.id} {stored.method}".lower()


def _blocks(ctx: Context) -> bool:
    stored = ctx.need_model().quantization
    return stored is not None and stored.block is not None


def _flashinfer_experts(ctx: Context, kind: str) -> bool:
    asked = ctx.env.get(f"VLLM_USE_FLASHINFER_MOE_{kind}") == "1"
    return asked and ctx.env.get("VLLM_FLASHINFER_MOE_BACKEND", "throughput") == "throughput"


def _odd_experts(ctx: Context) -> bool:
    moe = ctx.need_model().moe
    return moe is not None and bool(moe.intermediate) and (moe.intermediate or 0) % 128 != 0


def _odd_expert_shard(ctx: Context) -> bool:
    moe, ranks = ctx.need_model().moe, ctx.tp * ctx.dp
    shared = moe is not None and moe.intermediate and ctx.arg("enable_expert_parallel") is not True
    return bool(shared) and ranks > 1 and ((moe.intermediate or 0) // ranks if moe else 0) % 128 != 0


def _kinds(*kinds: str) -> Callable[[Context], bool]:
    return lambda ctx: any(run.kind in kinds for run in ctx.need_model().runs)


FEATURES: dict[str, Callable[[Context], bool]] = {
    "adapters": lambda ctx: ctx.arg("enable_lora") is True,
    "adapters sharded": lambda ctx: ctx.arg("enable_lora") is True and ctx.arg("fully_sharded_loras") is True,
    "aiter": lambda ctx: ctx.env.get("VLLM_ROCM_USE_AITER") == "1",
    "aiter fp8 products": lambda ctx: ctx.env.get("VLLM_ROCM_USE_AITER_FP8BMM", "1") == "1",
    "amd": lambda ctx: ctx.need_gpu().vendor == "amd",
    "b12x experts": lambda ctx: ctx.arg("moe_backend") == "flashinfer_b12x",
    "balanced experts": lambda ctx: ctx.arg("enable_eplb") is True,
    "before ada": _capability(lambda have: have < (8, 9)),
    "before ampere": _capability(lambda have: have < (8, 0)),
    "bitsandbytes": lambda ctx: ctx.arg("quantization") == "bitsandbytes",
    "blackwell": _capability(lambda have: have[0] == 10),
    "budget of 16k": lambda ctx: ctx.whole("max_num_batched_tokens") >= 16384,
    "caching asked": lambda ctx: ctx.arg("enable_prefix_caching") is True,
    "chunks asked": lambda ctx: ctx.arg("enable_chunked_prefill") in (True, "True", "true"),
    "chunks refused": lambda ctx: ctx.arg("enable_chunked_prefill") in (False, "False", "false"),
    "compiled": lambda ctx: ctx.arg("enforce_eager") is not True,
    "compressed latents": _kinds("mla_compressed"),
    "blocks of fp8": _blocks,
    "connector": lambda ctx: ctx.mapping("kv_transfer_config").get("kv_connector") is not None,
    "context ranks": lambda ctx: ctx.dcp > 1,
    "data ranks": lambda ctx: ctx.dp > 1,
    "all states kept": lambda ctx: ctx.arg("mamba_cache_mode") == "all",
    "awq or gptq": _quantized("awq", "gptq"),
    "balanced over nixl": lambda ctx: ctx.mapping("eplb_config").get("communicator") == "nixl",
    "bf16 cache": lambda ctx: ctx.arg("kv_cache_dtype") == "bfloat16",
    "blocks of mx": _quantized("mx", "modelopt_mx"),
    "deep gemm": lambda ctx: ctx.env.get("VLLM_USE_DEEP_GEMM", "1") != "0",
    "cpu": lambda ctx: ctx.need_gpu().vendor == "cpu",
    "deepep": _exchange("deepep_high_throughput", "deepep_low_latency"),
    "deepep low latency": _exchange("deepep_low_latency"),
    "deepep v2": _exchange("deepep_v2"),
    "delta attention": lambda ctx: any(run.mixer == "gated_delta" for run in ctx.need_model().runs),
    "dflash": _method("dflash"),
    "draft on several ranks": lambda ctx: (
        ctx.spec is not None and ctx.spec.model is not None and ctx.spec.uses_draft_model
        and ctx.spec.raw.get("draft_tensor_parallel_size", ctx.tp) != 1
    ),
    "e5m2 cache": lambda ctx: ctx.arg("kv_cache_dtype") == "fp8_e5m2",
    "eager": lambda ctx: ctx.arg("enforce_eager") is True,
    "experts by wna16": lambda ctx: ctx.arg("quantization") == "moe_wna16",
    "fp8 by channels": lambda ctx: _quantized("compressed", "llmcompressor")(ctx) and not _four_bits(ctx),
    "eagle": _method("eagle", "eagle3"),
    "encoder data mode": lambda ctx: ctx.arg("mm_encoder_tp_mode") == "data",
    "expert ranks": lambda ctx: ctx.arg("enable_expert_parallel") is True and ctx.tp * ctx.dp > 1,
    "experts": lambda ctx: ctx.need_model().moe is not None,
    "flashinfer asked": lambda ctx: ctx.env.get("VLLM_ATTENTION_BACKEND", "").startswith("FLASHINFER"),
    "flashinfer experts fp16": lambda ctx: _flashinfer_experts(ctx, "FP16"),
    "flashinfer experts fp8": lambda ctx: _flashinfer_experts(ctx, "FP8"),
    "fp8 cache": lambda ctx: ctx.arg("kv_cache_dtype") in ("fp8", "fp8_e4m3"),
    "grace hopper": lambda ctx: ctx.need_gpu().name.upper().startswith("GH200"),
    "hopper": _capability(lambda have: have[0] == 9),
    "latents": lambda ctx: ctx.need_model().uses_mla,
    "lmcache on v0": _connector("LMCacheConnector"),
    "mamba layers": _kinds("mamba"),
    "microbatches": lambda ctx: ctx.arg("enable_dbo") is True,
    "mtp": lambda ctx: ctx.spec is not None and (
        ctx.spec.method == "mtp" or (ctx.spec.model is None and ctx.spec.asked_method is None and ctx.spec.tokens is not None)
    ),
    "multimodal": lambda ctx: ctx.need_model().is_multimodal,
    "ngram": _method("ngram"),
    "nixl": _connector("NixlConnector", "NixlPullConnector", "NixlPushConnector"),
    "no swap": lambda ctx: ctx.arg("swap_space") in (0, 0.0) and ctx.given("swap_space"),
    "nodes": lambda ctx: ctx.whole("nnodes", 1) > 1,
    "nvfp4": _four_bits,
    "odd experts": _odd_experts,
    "odd expert shards": _odd_expert_shard,
    "offload connector": lambda ctx: (
        ctx.given("kv_offloading_size") or ctx.mapping("kv_transfer_config").get("kv_connector") == "OffloadingConnector"
    ),
    "offloaded": lambda ctx: bool(ctx.arg("cpu_offload_gb")),
    "pplx": _exchange("pplx"),
    "pynccl": _connector("PyNcclConnector"),
    "quantized": lambda ctx: ctx.need_model().quantization is not None or ctx.given("quantization"),
    "reasoning parser": lambda ctx: ctx.given("reasoning_parser"),
    "sixteen bits": lambda ctx: ctx.need_model().quantization is None and not ctx.given("quantization"),
    "sleeping": lambda ctx: ctx.arg("enable_sleep_mode") is True,
    "small blackwell": _capability(lambda have: have[0] == 12),
    "sparse latents": _kinds("mla_sparse"),
    "speculating": lambda ctx: ctx.spec is not None,
    "stages": lambda ctx: ctx.pp > 1,
    "states": lambda ctx: ctx.need_model().is_hybrid,
    "tensor ranks": lambda ctx: ctx.tp > 1,
    "turboquant": lambda ctx: str(ctx.arg("kv_cache_dtype", "")).startswith("turboquant"),
    "v0": _on_v0,
    "v1": lambda ctx: not _on_v0(ctx),
    "volta": _capability(lambda have: have < (7, 5)),
}  # fmt: skip
"""What a launch can have, by name."""

_ISSUE, _PULL = "https://github.com/vllm-project/vllm/issues/", "https://github.com/vllm-project/vllm/pull/"
_CHUNKS, _KV, _SPEC = drop("--enable-chunked-prefill"), drop("--kv-cache-dtype"), drop("--speculative-config")

REPORTS = (
    Report(("no swap", "v0"), "<0.9", "no swap space, when a request of several sequences is preempted", "crash", _ISSUE + "546",
           (drop("--swap-space"),)),
    Report(("fp8 cache", "chunks asked", "v0", "before ada"), "<0.11", "an FP8 cache and chunked prefill on V0 before Ada",
           "crash", _ISSUE + "7714", (_KV,)),
    Report(("adapters", "offloaded"), "<0.7", "adapters and weights offloaded", "crash", _ISSUE + "11748", (drop("--cpu-offload-gb"),)),
    Report(("flashinfer asked", "before ampere"), "<0.11", "FlashInfer asked for before Ampere", "crash", _ISSUE + "8189",
           (drop_env("VLLM_ATTENTION_BACKEND"),)),
    Report(("caching asked", "volta"), "<0.7", "prefix caching before Turing", "crash", _ISSUE + "3944",
           (drop("--enable-prefix-caching"),)),
    Report(("ngram", "v0"), ">=0.6,<0.8", "n-gram drafts and requests for structured output", "crash", _ISSUE + "11484", (_SPEC,)),
    Report(("draft on several ranks", "chunks asked", "v0"), ">=0.6.4,<0.10", "a draft on several ranks and chunked prefill on V0",
           "crash", _PULL + "10136", (_CHUNKS,)),
    Report(("pynccl", "stages"), ">=0.7,<0.8.5", "PyNcclConnector and pipeline stages", "crash", _ISSUE + "14118",
           (drop("--kv-transfer-config"),)),
    Report(("fp8 cache", "v1"), ">=0.7,<0.8", "an FP8 cache on the first V1 engine", "wrong output", _ISSUE + "13133", (_KV,)),
    Report(("experts by wna16", "latents"), ">=0.7.1,<0.7.2", "--quantization moe_wna16 and latent attention", "crash", _ISSUE + "12647",
           (drop("--quantization"),)),
    Report(("caching asked", "chunks refused", "latents"), ">=0.7.2,<0.8", "prefix caching of latents without chunked prefill",
           "crash", _ISSUE + "14069", (drop("--enable-prefix-caching"),)),
    Report(("mtp", "chunks asked", "v0"), ">=0.7.3,<0.10", "MTP and chunked prefill on V0", "crash", _PULL + "15153", (_CHUNKS,)),
    Report(("offloaded", "compiled", "latents"), ">=0.8,<0.9", "weights offloaded and latent attention compiled", "crash",
           _ISSUE + "15871", (put("--enforce-eager", True),)),
    Report(("stages", "multimodal"), ">=0.8,<0.9", "pipeline stages of a multimodal model", "crash", _ISSUE + "17351",
           (drop("--pipeline-parallel-size"),)),
    Report(("lmcache on v0", "before ampere"), ">=0.8,<0.8.5", "LMCacheConnector before Ampere", "crash",
           "https://github.com/LMCache/LMCache/issues/412", (drop("--kv-transfer-config"),)),
    Report(("ngram", "v1"), ">=0.8,<0.8.5", "n-gram drafts and requests for structured output", "wrong output", _ISSUE + "15554",
           (_SPEC,)),
    Report(("fp8 cache", "v1", "hopper"), ">=0.8.2,<0.9", "an FP8 cache read by FlashAttention 3 on V1", "crash",
           _ISSUE + "17442", (_KV,)),
    Report(("amd", "experts", "fp8 by channels"), ">=0.8.3,<0.9", "FP8 experts of compressed-tensors on AMD", "crash",
           _ISSUE + "16474", ()),
    Report(("experts", "awq or gptq", "odd expert shards"), ">=0.8.5,<0.10", "4-bit experts whose share is not whole 128s", "crash",
           _ISSUE + "17604", (put("--enable-expert-parallel", True),)),
    Report(("deepep", "data ranks", "expert ranks"), ">=0.9,<0.10.1", "DeepEP between data-parallel ranks", "hang",
           _ISSUE + "21306", (drop_env("VLLM_ALL2ALL_BACKEND"),)),
    Report(("adapters", "ngram"), ">=0.9,<0.11", "adapters and n-gram speculation", "crash", _ISSUE + "20284", (_SPEC,)),
    Report(("adapters sharded", "tensor ranks", "v1"), ">=0.9,<0.10.1", "adapters sharded in full on V1", "crash",
           _ISSUE + "20944", (drop("--fully-sharded-loras"),)),
    Report(("adapters", "small blackwell"), ">=0.9,<0.10", "adapters on capability 12", "crash", _ISSUE + "19693",
           (drop("--enable-lora"),)),
    Report(("pplx", "data ranks", "expert ranks"), ">=0.10,<0.12", "pplx between data-parallel ranks", "hang", _ISSUE + "27209",
           (drop_env("VLLM_ALL2ALL_BACKEND"),)),
    Report(("flashinfer experts fp8", "blocks of fp8", "experts"), ">=0.10.1,<0.12", "FlashInfer's FP8 experts for throughput", "crash",
           _ISSUE + "24109", (drop_env("VLLM_USE_FLASHINFER_MOE_FP8"),)),
    Report(("sleeping", "fp8 cache"), ">=0.10.2,<0.11", "sleep at level 2 and an FP8 cache", "wrong output", _ISSUE + "25800", (_KV,)),
    Report(("eagle",), ">=0.11,<0.12", "EAGLE and requests for structured output", "crash", _ISSUE + "27969", (_SPEC,)),
    Report(("balanced experts", "deepep"), ">=0.11,<0.12", "balanced experts over DeepEP", "wrong output", _PULL + "28377",
           (drop("--enable-eplb"),)),
    Report(("sleeping",), ">=0.11,<0.12", "sleep at level 2", "wrong output", _ISSUE + "29341", (drop("--enable-sleep-mode"),)),
    Report(("fp8 cache", "flashinfer asked", "hopper"), ">=0.11,<0.12", "an FP8 cache and FlashInfer on Hopper", "crash",
           _ISSUE + "27604", (_KV,)),
    Report(("adapters", "multimodal"), ">=0.11,<0.12", "adapters of a multimodal model", "crash", _ISSUE + "28093",
           (drop("--enable-lora"),)),
    Report(("adapters", "bitsandbytes", "tensor ranks", "experts"), ">=0.11.1,<0.14",
           "adapters on experts quantized by bitsandbytes over several ranks", "crash", _ISSUE + "29138",
           (drop("--tensor-parallel-size"),)),
    Report(("adapters", "experts", "quantized"), ">=0.11.1,<0.12", "adapters and quantized experts", "crash", _PULL + "29376",
           (drop("--enable-lora"),)),
    Report(("adapters", "tensor ranks", "experts"), ">=0.12,<0.13", "adapters on a mixture of experts over several ranks", "crash",
           _ISSUE + "30461", (drop("--enable-lora"),)),
    Report(("adapters", "experts"), ">=0.12,<0.13", "adapters and experts", "crash", _ISSUE + "30461", (drop("--enable-lora"),)),
    Report(("speculating", "reasoning parser"), ">=0.13,<0.17", "drafts, a reasoning parser and requests for structured output",
           "wrong output", _PULL + "36138", (_SPEC,)),
    Report(("balanced experts", "multimodal", "experts"), ">=0.14,<0.15", "balanced experts of a multimodal model", "crash",
           _PULL + "32565", (drop("--enable-eplb"),)),
    Report(("nvfp4", "experts", "small blackwell"), ">=0.15,<0.16", "NVFP4 experts on compute capability 12", "crash",
           _ISSUE + "33416", ()),
    Report(("budget of 16k", "expert ranks", "blocks of fp8", "hopper"), ">=0.15,<0.16", "FP8 experts and steps of 16,384 tokens",
           "crash", _ISSUE + "34249", (put("--max-num-batched-tokens", 8192),)),
    Report(("flashinfer experts fp16", "mamba layers", "experts"), ">=0.15,<0.17", "FlashInfer's 16-bit experts without a gate", "crash",
           _PULL + "36146", (drop_env("VLLM_USE_FLASHINFER_MOE_FP16"),)),
    Report(("adapters", "delta attention", "experts"), ">=0.16,<0.18", "adapters on a hybrid mixture of experts", "crash",
           _ISSUE + "35286", (drop("--enable-lora"),)),
    Report(("nvfp4", "experts", "small blackwell"), ">=0.16,<0.19", "NVFP4 experts on capability 12", "crash", _PULL + "38423", ()),
    Report(("caching asked", "delta attention"), ">=0.17", "prefix caching and gated delta attention", "no effect",
           _ISSUE + "51198", ()),
    Report(("sleeping", "adapters"), ">=0.17", "sleep and adapters", "wrong output", _ISSUE + "39934", (drop("--enable-sleep-mode"),)),
    Report(("stages", "nodes"), ">=0.18,<0.19", "pipeline stages over several nodes", "crash", _ISSUE + "37933", ()),
    Report(("caching asked", "mtp", "mamba layers"), ">=0.19,<0.20", "prefix caching and MTP on Mamba layers", "crash",
           _ISSUE + "39809", (drop("--enable-prefix-caching"),)),
    Report(("mtp", "delta attention"), ">=0.19,<0.28", "MTP on gated delta attention and long sequences", "crash",
           _ISSUE + "40756", (_SPEC,)),
    Report(("e5m2 cache", "multimodal"), ">=0.19", "an FP8 cache in e5m2 of a multimodal model", "wrong output", _ISSUE + "41343",
           (_KV,)),
    Report(("stages", "nodes", "multimodal"), ">=0.20,<0.22", "pipeline stages of a multimodal model over several nodes", "crash",
           _ISSUE + "43271", ()),
    Report(("dflash", "states"), ">=0.20,<0.21", "DFlash and a hybrid model", "crash", _ISSUE + "46480", (_SPEC,)),
    Report(("sleeping", "states"), ">=0.20,<0.21", "sleep and a hybrid model", "crash", _ISSUE + "41563",
           (drop("--enable-sleep-mode"),)),
    Report(("fp8 cache", "nixl", "states"), ">=0.20,<0.22", "an FP8 cache moved by NIXL of a hybrid model", "wrong output",
           _ISSUE + "42179", (_KV,)),
    Report(("context ranks", "latents"), ">=0.21", "decode context ranks of latents over long requests",
           "wrong output", _ISSUE + "41623", (drop("--decode-context-parallel-size"),)),
    Report(("fp8 cache", "mtp", "connector", "latents"), ">=0.21,<0.23", "an FP8 cache of latents, MTP and a KV connector", "crash",
           _ISSUE + "44184", (_KV,)),
    Report(("deepep low latency", "expert ranks", "compressed latents"), ">=0.21,<0.23",
           "DeepEP's low-latency exchange and compressed latents", "crash", _ISSUE + "43596", (drop("--all2all-backend"),)),
    Report(("offload connector", "compressed latents"), ">=0.21,<0.22", "offloading of compressed latents", "crash",
           _ISSUE + "43093", (drop("--kv-transfer-config"), drop("--kv-offloading-size"))),
    Report(("nvfp4", "experts", "mamba layers", "small blackwell"), ">=0.22,<0.23", "NVFP4 experts and Mamba layers on capability 12",
           "crash", _ISSUE + "44022", ()),
    Report(("fp8 cache", "amd", "blocks of mx", "experts"), ">=0.22,<0.23", "an FP8 cache and MX weights on AMD", "wrong output",
           _ISSUE + "45562", (_KV,)),
    Report(("bf16 cache", "sparse latents"), ">=0.22,<0.23", "a 16-bit cache of sparse latents", "wrong output", _ISSUE + "44550",
           (_KV,)),
    Report(("nvfp4", "compressed latents", "small blackwell"), ">=0.22,<0.24", "NVFP4 experts with a clamp on capability 12", "crash",
           _PULL + "46492", ()),
    Report(("blocks of fp8", "deep gemm", "small blackwell"), ">=0.24,<0.25", "FP8 blocks multiplied by DeepGEMM on capability 12",
           "crash", _ISSUE + "47130", (set_env("VLLM_USE_DEEP_GEMM", "0"),)),
    Report(("offload connector", "caching asked", "mtp", "states"), ">=0.25,<0.28", "offloading, prefix caching and MTP on a hybrid",
           "crash", _ISSUE + "50454", (drop("--kv-transfer-config"), drop("--kv-offloading-size"))),
    Report(("turboquant", "states"), ">=0.25,<0.27", "a TurboQuant cache on a hybrid model", "crash", _ISSUE + "50709", (_KV,)),
    Report(("blocks of fp8", "compiled", "delta attention", "hopper"), ">=0.25,<0.26", "FP8 blocks and gated delta attention in graphs",
           "crash", _ISSUE + "49311", (put("--enforce-eager", True),)),
    Report(("blocks of fp8", "deep gemm", "grace hopper"), ">=0.25", "FP8 blocks multiplied by DeepGEMM on Grace Hopper", "crash",
           _PULL + "49183", (set_env("VLLM_USE_DEEP_GEMM", "0"),)),
    Report(("b12x experts", "small blackwell"), ">=0.25", "b12x experts, whose workspace is not planned for", "crash", _ISSUE + "49476",
           (drop("--moe-backend"),)),
    Report(("nixl", "compressed latents"), ">=0.26", "NIXL and the packed cache of compressed latents", "crash", _ISSUE + "50714",
           (drop("--kv-transfer-config"),)),
    Report(("context ranks", "latents", "blackwell"), ">=0.26", "context ranks and FlashInfer's latent attention", "crash",
           _ISSUE + "50781", (drop("--decode-context-parallel-size"),)),
    Report(("aiter", "aiter fp8 products", "data ranks", "amd", "latents"), ">=0.26,<0.29",
           "AITER's FP8 products and data-parallel attention", "crash", _ISSUE + "51957",
           (set_env("VLLM_ROCM_USE_AITER_FP8BMM", "0"),)),
    Report(("deepep v2", "eager", "expert ranks", "sixteen bits", "blackwell"), ">=0.26,<0.28",
           "DeepEP's second version, eager mode and 16-bit experts", "crash", _PULL + "51824", (drop("--enforce-eager"),)),
    Report(("offload connector", "mtp"), ">=0.26", "offloading to several tiers and MTP", "crash", _ISSUE + "55503", (_SPEC,)),
    Report(("microbatches", "deepep v2"), ">=0.26", "dual-batch overlap over DeepEP's second version", "crash", _PULL + "52176",
           (drop("--enable-dbo"),)),
    Report(("sixteen bits", "odd experts", "blackwell"), ">=0.26", "16-bit experts that are not whole 128s", "hang", _PULL + "51492",
           (put("--moe-backend", "triton"),)),
    Report(("sleeping", "eagle", "compiled"), ">=0.26", "sleep at level 2 and EAGLE in graphs", "crash", _ISSUE + "55013",
           (drop("--enable-sleep-mode"),)),
    Report(("fp8 cache", "nvfp4", "multimodal", "blackwell"), ">=0.26,<0.27", "an FP8 cache and NVFP4 weights of a multimodal model",
           "crash", _ISSUE + "51828", (_KV,)),
    Report(("deepep v2", "compiled", "expert ranks"), ">=0.27", "DeepEP's second version in graphs", "crash", _ISSUE + "52894",
           (put("--enforce-eager", True),)),
    Report(("encoder data mode", "tensor ranks", "multimodal"), ">=0.27", "--mm-encoder-tp-mode data and several images", "crash",
           _ISSUE + "52654", (drop("--mm-encoder-tp-mode"),)),
    Report(("blocks of fp8", "deep gemm", "small blackwell"), ">=0.27,<0.28", "FP8 blocks multiplied by DeepGEMM on capability 12",
           "crash", _ISSUE + "51884", (set_env("VLLM_USE_DEEP_GEMM", "0"),)),
    Report(("all states kept", "caching asked", "cpu", "states"), ">=0.28", "all states kept for prefix caching on a CPU", "crash",
           _ISSUE + "54504", (drop("--mamba-cache-mode"),)),
    Report(("balanced experts", "balanced over nixl"), ">=0.29", "experts balanced over NIXL", "no effect", _ISSUE + "57883",
           (drop("--eplb-config"),)),
)  # fmt: skip
"""By release. A fault that was not reported fixed has no end."""


def applies(report: Report, ctx: Context) -> bool:
    """True when the launch has everything a report names.

    Raises:
        Needs: when what it has by itself fits and the rest hangs on a model or a device that is not known.
    """
    return ctx.within(report.versions) and all(FEATURES[name](ctx) for name in report.features)
