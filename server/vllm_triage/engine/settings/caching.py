"""The KV pool: its share of memory, its blocks, and what manages them.

Source: ``CacheConfig`` (config/cache.py), ``HybridAttentionMambaModelConfig`` and ``MambaModelConfig``
(model_executor/models/config.py), the hybrid-manager rules of ``VllmConfig.__post_init__`` (config/vllm.py), the KV
connector classes (distributed/kv_transfer/kv_connector/v1).
"""

from collections.abc import Mapping
from math import ceil, lcm

from ...domain import Json, ModelShape
from ..kv_layout import hybrid_block, state_bytes, token_bytes
from .batching import STATE_CACHING
from .case import Case
from .drafting import EAGLE_LIKE, Drafting

__all__ = ["blocks", "hybrid_manager", "pool", "recurrent_state"]

HYBRID_CONNECTORS = {
    "DecodeBenchConnector": (0, 22, 0), "ExampleHiddenStatesConnector": (0, 22, 0), "MooncakeConnector": (0, 22, 0),
    "MooncakeStoreConnector": (0, 22, 0), "NixlConnector": (0, 22, 0), "OffloadingConnector": (0, 22, 0),
    "SimpleCPUOffloadConnector": (0, 22, 0), "NixlPullConnector": (0, 24, 0), "NixlPushConnector": (0, 24, 0),
    "HiSparseConnector": (0, 30, 0), "MoRIIOConnector": (0, 30, 0),
}  # fmt: skip
"""KV connectors that work with the hybrid KV cache manager (``SupportsHMA``), by the first release that asks them."""


def pool(case: Case) -> None:
    """What share of the device the engine may fill, or how many bytes the pool gets outright."""
    default = 0.92 if case.release >= (0, 20, 0) else 0.9
    case.take("gpu_memory_utilization", default, "0.92 since 0.20, 0.9 before")
    case.take("num_gpu_blocks_override", None)
    space = case.env.get("VLLM_CPU_KVCACHE_SPACE", "")
    if case.vendor == "cpu" and case.release >= (0, 20, 0) and space.isdigit():
        case.put("kv_cache_memory_bytes", int(space) << 30, "given", "VLLM_CPU_KVCACHE_SPACE, GiB")
    else:
        case.take("kv_cache_memory_bytes", None, "not set: the pool is what the utilisation leaves")
    case.take("cpu_offload_gb", 0)
    if case.has((0, 11, 0)):
        case.take("kv_offloading_size", None, "no KV offloading")
        if case.given("kv_offloading_size") is not None:
            case.take("kv_offloading_backend", "native")


def recurrent_state(case: Case, drafting: Drafting | None) -> None:
    """How recurrent state takes part in prefix caching: ``none``, ``align`` or ``all``."""
    if (
        case.model is None
        or not any(run.kind in ("mamba", "linear") for run in case.model.runs)
        or case.release < (0, 15, 0)
    ):
        return
    name, asked = "mamba_cache_mode", case.given("mamba_cache_mode")
    if case.value("enable_prefix_caching") is not True:
        case.put(name, "none", "derived", "prefix caching is off")
        return
    can_cache_all = case.model.architecture in STATE_CACHING
    if asked in (None, "none"):
        spec_aligns = (0, 20, 0) <= case.release < (0, 22, 0) and drafting is not None
        mode = "all" if can_cache_all and case.release < (0, 28, 0) and not spec_aligns else "align"
        case.put(name, mode, "default", "all for architectures that support it before 0.28, align otherwise")
    elif asked == "all" and not can_cache_all and case.release < (0, 32, 0):
        case.put(name, "align", "derived", "this architecture does not support all")
    else:
        case.put(name, asked, "given")


def blocks(case: Case, drafting: Drafting | None) -> None:
    """Tokens in one KV block as the configuration leaves it; a backend with a larger page may raise it at start."""
    given, model = case.whole("block_size"), case.model
    cpu = case.vendor == "cpu"
    if model is not None and model.is_hybrid and (not cpu or case.release < (0, 20, 0)):
        _hybrid_block(case, drafting, 16 if given is None else given)
        if cpu and given is None and case.release >= (0, 18, 0):
            case.put("block_size", 128, "default", "128 on a CPU, set after the model's own (0.18 and 0.19)")
    elif cpu:
        _cpu_block(case, given)
    elif model is not None and model.uses_mla and case.release < (0, 18, 0):
        _latent_block(case, given)
    else:
        case.take("block_size", 16)


def _cpu_block(case: Case, given: int | None) -> None:
    architecture = "" if case.model is None else case.model.architecture or ""
    if architecture.startswith("DeepseekV4") and case.release >= (0, 30, 0):
        case.put("block_size", 256, "derived", "the CPU's DeepSeek V4 kernels take 256")
    elif case.model is not None and case.model.uses_mla and case.release >= (0, 28, 0):
        case.put("block_size", 16, "derived", "the CPU's MLA kernel takes 16 (AMX machines excepted)")
    elif given is not None:
        case.put("block_size", given, "given")
    else:
        case.put("block_size", 128, "default", "128 on a CPU")


def _latent_block(case: Case, given: int | None) -> None:
    """Before 0.18 the configuration itself moved MLA models to their backend's page."""
    capability, size = case.capability, 16 if given is None else given
    page, backend = 1, ""
    if capability is not None and capability[0] == 10 and case.release >= (0, 10, 0):
        page, backend = (64, "FlashInfer MLA") if case.release >= (0, 15, 0) else (128, "CUTLASS MLA")
    elif capability is not None and capability[0] == 9:
        page, backend = 64, "FlashMLA"
    if size % page:
        case.put("block_size", page, "derived", f"{backend} takes blocks of {page}")
    else:
        case.take("block_size", 16, "" if capability else "an MLA backend may raise it")


def _hybrid_block(case: Case, drafting: Drafting | None, size: int) -> None:
    """Attention blocks beside recurrent state grow until one holds a state: in the configuration up to 0.19, at worker
    start after that."""
    model = case.model
    assert model is not None  # noqa: S101 - the caller checked
    mode = case.value("mamba_cache_mode")
    if case.release >= (0, 20, 0) or case.release < (0, 10, 0):
        _state_block(case, size, mode)
        why = "enlarged when the workers start, until one block holds a recurrent state"
        case.put("block_size", size, "default" if case.whole("block_size") is None else "given", why)
        return
    drafts = (drafting.tokens or 0) if drafting is not None and _state_counts_drafts(case) else 0
    if mode == "all" or (mode is None and case.value("enable_prefix_caching") is True):
        _chunked_block(case, model, size, drafts)
        return
    kv, tp = str(case.value("kv_cache_dtype") or "auto"), max(1, case.whole_or("tensor_parallel_size", 1))
    if kv == "fp8_ds_mla" and not model.uses_mla:
        kv = "fp8"  # the packed layout of latents means a byte for each element anywhere else
    grown, _ = hybrid_block(model, kv, tp, size, drafts, is_mla=model.uses_mla)
    case.put("block_size", grown, "derived", "enlarged until one block holds a recurrent state")
    _state_block(case, grown, mode)


def _chunked_block(case: Case, model: ModelShape, size: int, drafts: int) -> None:
    """A multiple of the recurrent kernel's chunk that holds one state, where every block caches one."""
    kv, tp = str(case.value("kv_cache_dtype") or "auto"), max(1, case.whole_or("tensor_parallel_size", 1))
    chunk = case.whole("mamba_block_size") or model.state_chunk
    if chunk is None:
        why = "a multiple of the model's mamba_chunk_size, which is not known, that holds one recurrent state"
        case.put("block_size", None, "assumed", why)
        case.put("mamba_block_size", None, "assumed", why)
        return
    state = max(state_bytes(run.state, tp, drafts) for run in model.runs if run.state)
    attention = max(token_bytes(run, kv, model.dtype_bytes, tp) for run in model.runs if run.head_dim)
    unit = lcm(chunk, 64 if model.uses_mla else 16)
    grown = unit * ceil(ceil(state / attention) / unit)
    case.put(
        "block_size", max(size, grown), "derived", "a multiple of the recurrent kernel's chunk that holds one state"
    )
    case.put("mamba_block_size", grown, "derived", "a multiple of the recurrent kernel's chunk that holds one state")


def _state_counts_drafts(case: Case) -> bool:
    """True where a recurrent state of these releases holds a slot for each draft token (``num_spec`` in the models)."""
    model = case.model
    if model is None:
        return False
    if any(run.kind == "linear" for run in model.runs):
        return True
    return model.architecture in ("Mamba2ForCausalLM", "NemotronHForCausalLM") and case.release >= (0, 17, 0)


def _state_block(case: Case, size: int, mode: Json) -> None:
    given = case.whole("mamba_block_size")
    if case.has((0, 11, 0)):
        if given is not None:
            case.put("mamba_block_size", given, "given")
        elif mode in ("align", "all"):
            case.put("mamba_block_size", size, "derived", "the attention block, with prefix caching")
        else:
            case.put(
                "mamba_block_size", case.number("max_model_len"), "derived", "max_model_len: one state per request"
            )


def hybrid_manager(case: Case, drafting: Drafting | None) -> None:
    """True when every layer is allocated alike, whatever its window."""
    name, given = "disable_hybrid_kv_cache_manager", case.given("disable_hybrid_kv_cache_manager")
    if case.release < (0, 10, 0):
        return
    if given is True:
        case.put(name, True, "given")
        return
    against = _against_hybrid(case, drafting)
    if against and (given is None or case.release < (0, 13, 0)):
        case.put(name, True, "derived", against)
    elif given is not None:
        case.put(name, given, "given")
    else:
        case.put(name, False, "default", "the hybrid manager is on")


def _against_hybrid(case: Case, drafting: Drafting | None) -> str:
    """What turns the hybrid KV cache manager off, empty when nothing does."""
    transfer = case.mapping("kv_transfer_config")
    if case.release < (0, 22, 0):
        if transfer:
            return "a KV connector turns it off before 0.22"
    else:
        connector = _connector(case, transfer)
        if connector and not _supports_hybrid(case, connector, transfer):
            return f"{connector} does not support the hybrid manager"
    if case.release < (0, 20, 0) and case.mapping("kv_events_config"):
        return "KV events turn it off before 0.20"
    if case.model is not None and any(run.kind == "chunked_local" for run in case.model.runs):
        if drafting is not None and drafting.method in EAGLE_LIKE:
            return "chunked local attention with EAGLE"
        allowed = "1" if case.release >= (0, 14, 0) else "0"
        if case.env.get("VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE", allowed) in ("0", ""):
            return "chunked local attention"
    return ""


def _connector(case: Case, transfer: Mapping[str, Json]) -> str:
    """The KV connector in force; --kv-offloading-size brings its own, whatever --kv-transfer-config says."""
    if case.given("kv_offloading_size") is not None:
        return "LMCacheConnectorV1" if case.given("kv_offloading_backend") == "lmcache" else "OffloadingConnector"
    named = transfer.get("kv_connector")
    return named if isinstance(named, str) else ""


def _supports_hybrid(case: Case, connector: str, transfer: Mapping[str, Json]) -> bool:
    if connector != "MultiConnector":
        return case.release >= HYBRID_CONNECTORS.get(connector, (9999, 0, 0))
    extra = transfer.get("kv_connector_extra_config")
    children = extra.get("connectors") if isinstance(extra, dict) else None
    if not isinstance(children, list) or not children:
        return False
    return all(
        isinstance(child, dict) and _supports_hybrid(case, str(child.get("kv_connector")), child) for child in children
    )
