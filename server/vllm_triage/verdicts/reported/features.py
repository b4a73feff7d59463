"""What a launch can have, by the name the rows of reported faults ask for it."""

from collections.abc import Callable

from ..context import Context, Needs
from ..engines import runs_v0

__all__ = ["FEATURES", "Feature", "capability", "connector", "exchange", "kinds", "method", "quantized"]

Feature = Callable[[Context], bool]
"""True when the launch has it; raises Needs when that hangs on a model or a device that is not known."""


def on_v0(ctx: Context) -> bool:
    old = runs_v0(ctx)
    if old is None:
        raise Needs("gpu")
    return old


def method(*names: str) -> Callable[[Context], bool]:
    return lambda ctx: ctx.spec is not None and ctx.spec.method in names


def capability(test: Callable[[tuple[int, int]], bool]) -> Callable[[Context], bool]:
    def asked(ctx: Context) -> bool:
        have = ctx.need_capability()
        return have is not None and test(have)

    return asked


def connector(*names: str) -> Callable[[Context], bool]:
    return lambda ctx: ctx.mapping("kv_transfer_config").get("kv_connector") in names


def exchange(*names: str) -> Callable[[Context], bool]:
    return lambda ctx: (ctx.arg("all2all_backend") or ctx.env.get("VLLM_ALL2ALL_BACKEND")) in names


def quantized(*starts: str) -> Callable[[Context], bool]:
    def asked(ctx: Context) -> bool:
        stored = ctx.need_model().quantization
        method = ctx.arg("quantization") or (None if stored is None else stored.method)
        return isinstance(method, str) and method.replace("-", "_").startswith(starts)

    return asked


def four_bits(ctx: Context) -> bool:
    model = ctx.need_model()
    stored = model.quantization
    return stored is not None and (stored.weight_bits or 16) < 6 and "nvfp4" in f"{model.id} {stored.method}".lower()


def blocks(ctx: Context) -> bool:
    stored = ctx.need_model().quantization
    return stored is not None and stored.block is not None


def flashinfer_experts(ctx: Context, kind: str) -> bool:
    asked = ctx.env.get(f"VLLM_USE_FLASHINFER_MOE_{kind}") == "1"
    return asked and ctx.env.get("VLLM_FLASHINFER_MOE_BACKEND", "throughput") == "throughput"


def odd_experts(ctx: Context) -> bool:
    moe = ctx.need_model().moe
    return moe is not None and bool(moe.intermediate) and (moe.intermediate or 0) % 128 != 0


def odd_expert_shard(ctx: Context) -> bool:
    moe, ranks = ctx.need_model().moe, ctx.tp * ctx.dp
    shared = moe is not None and moe.intermediate and ctx.arg("enable_expert_parallel") is not True
    return bool(shared) and ranks > 1 and ((moe.intermediate or 0) // ranks if moe else 0) % 128 != 0


def kinds(*kinds: str) -> Callable[[Context], bool]:
    return lambda ctx: any(run.kind in kinds for run in ctx.need_model().runs)


FEATURES: dict[str, Feature] = {
    "adapters": lambda ctx: ctx.arg("enable_lora") is True,
    "adapters sharded": lambda ctx: ctx.arg("enable_lora") is True and ctx.arg("fully_sharded_loras") is True,
    "aiter": lambda ctx: ctx.env.get("VLLM_ROCM_USE_AITER") == "1",
    "aiter fp8 products": lambda ctx: ctx.env.get("VLLM_ROCM_USE_AITER_FP8BMM", "1") == "1",
    "amd": lambda ctx: ctx.need_gpu().vendor == "amd",
    "b12x experts": lambda ctx: ctx.arg("moe_backend") == "flashinfer_b12x",
    "balanced experts": lambda ctx: ctx.arg("enable_eplb") is True,
    "before ada": capability(lambda have: have < (8, 9)),
    "before ampere": capability(lambda have: have < (8, 0)),
    "bitsandbytes": lambda ctx: ctx.arg("quantization") == "bitsandbytes",
    "blackwell": capability(lambda have: have[0] == 10),
    "budget of 16k": lambda ctx: ctx.whole("max_num_batched_tokens") >= 16384,
    "caching asked": lambda ctx: ctx.arg("enable_prefix_caching") is True,
    "chunks asked": lambda ctx: ctx.arg("enable_chunked_prefill") in (True, "True", "true"),
    "chunks refused": lambda ctx: ctx.arg("enable_chunked_prefill") in (False, "False", "false"),
    "compiled": lambda ctx: ctx.arg("enforce_eager") is not True,
    "compressed latents": kinds("mla_compressed"),
    "blocks of fp8": blocks,
    "connector": lambda ctx: ctx.mapping("kv_transfer_config").get("kv_connector") is not None,
    "context ranks": lambda ctx: ctx.dcp > 1,
    "data ranks": lambda ctx: ctx.dp > 1,
    "all states kept": lambda ctx: ctx.arg("mamba_cache_mode") == "all",
    "awq or gptq": quantized("awq", "gptq"),
    "balanced over nixl": lambda ctx: ctx.mapping("eplb_config").get("communicator") == "nixl",
    "bf16 cache": lambda ctx: ctx.arg("kv_cache_dtype") == "bfloat16",
    "blocks of mx": quantized("mx", "modelopt_mx"),
    "deep gemm": lambda ctx: ctx.env.get("VLLM_USE_DEEP_GEMM", "1") != "0",
    "cpu": lambda ctx: ctx.need_gpu().vendor == "cpu",
    "deepep": exchange("deepep_high_throughput", "deepep_low_latency"),
    "deepep low latency": exchange("deepep_low_latency"),
    "deepep v2": exchange("deepep_v2"),
    "delta attention": lambda ctx: any(run.mixer == "gated_delta" for run in ctx.need_model().runs),
    "dflash": method("dflash"),
    "draft on several ranks": lambda ctx: (
        ctx.spec is not None and ctx.spec.model is not None and ctx.spec.uses_draft_model
        and ctx.spec.raw.get("draft_tensor_parallel_size", ctx.tp) != 1
    ),
    "e5m2 cache": lambda ctx: ctx.arg("kv_cache_dtype") == "fp8_e5m2",
    "eager": lambda ctx: ctx.arg("enforce_eager") is True,
    "experts by wna16": lambda ctx: ctx.arg("quantization") == "moe_wna16",
    "fp8 by channels": lambda ctx: quantized("compressed", "llmcompressor")(ctx) and not four_bits(ctx),
    "eagle": method("eagle", "eagle3"),
    "encoder data mode": lambda ctx: ctx.arg("mm_encoder_tp_mode") == "data",
    "expert ranks": lambda ctx: ctx.arg("enable_expert_parallel") is True and ctx.tp * ctx.dp > 1,
    "experts": lambda ctx: ctx.need_model().moe is not None,
    "flashinfer asked": lambda ctx: ctx.env.get("VLLM_ATTENTION_BACKEND", "").startswith("FLASHINFER"),
    "flashinfer experts fp16": lambda ctx: flashinfer_experts(ctx, "FP16"),
    "flashinfer experts fp8": lambda ctx: flashinfer_experts(ctx, "FP8"),
    "fp8 cache": lambda ctx: ctx.arg("kv_cache_dtype") in ("fp8", "fp8_e4m3"),
    "grace hopper": lambda ctx: ctx.need_gpu().name.upper().startswith("GH200"),
    "hopper": capability(lambda have: have[0] == 9),
    "latents": lambda ctx: ctx.need_model().uses_mla,
    "lmcache on v0": connector("LMCacheConnector"),
    "mamba layers": kinds("mamba"),
    "microbatches": lambda ctx: ctx.arg("enable_dbo") is True,
    "mtp": lambda ctx: ctx.spec is not None and (
        ctx.spec.method == "mtp" or (ctx.spec.model is None and ctx.spec.asked_method is None and ctx.spec.tokens is not None)
    ),
    "multimodal": lambda ctx: ctx.need_model().is_multimodal,
    "ngram": method("ngram"),
    "nixl": connector("NixlConnector", "NixlPullConnector", "NixlPushConnector"),
    "no swap": lambda ctx: ctx.arg("swap_space") in (0, 0.0) and ctx.given("swap_space"),
    "nodes": lambda ctx: ctx.whole("nnodes", 1) > 1,
    "nvfp4": four_bits,
    "odd experts": odd_experts,
    "odd expert shards": odd_expert_shard,
    "offload connector": lambda ctx: (
        ctx.given("kv_offloading_size") or ctx.mapping("kv_transfer_config").get("kv_connector") == "OffloadingConnector"
    ),
    "offloaded": lambda ctx: bool(ctx.arg("cpu_offload_gb")),
    "pplx": exchange("pplx"),
    "pynccl": connector("PyNcclConnector"),
    "quantized": lambda ctx: ctx.need_model().quantization is not None or ctx.given("quantization"),
    "reasoning parser": lambda ctx: ctx.given("reasoning_parser"),
    "sixteen bits": lambda ctx: ctx.need_model().quantization is None and not ctx.given("quantization"),
    "sleeping": lambda ctx: ctx.arg("enable_sleep_mode") is True,
    "small blackwell": capability(lambda have: have[0] == 12),
    "sparse latents": kinds("mla_sparse"),
    "speculating": lambda ctx: ctx.spec is not None,
    "stages": lambda ctx: ctx.pp > 1,
    "states": lambda ctx: ctx.need_model().is_hybrid,
    "tensor ranks": lambda ctx: ctx.tp > 1,
    "turboquant": lambda ctx: str(ctx.arg("kv_cache_dtype", "")).startswith("turboquant"),
    "v0": on_v0,
    "v1": lambda ctx: not on_v0(ctx),
    "volta": capability(lambda have: have < (7, 5)),
}  # fmt: skip
"""What rows of several areas ask for; what only one area asks for stands with its rows."""
