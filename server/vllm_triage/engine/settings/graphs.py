"""Compilation mode, CUDA graphs and the sizes they are captured for.

Source: ``VllmConfig.__post_init__``, ``_normalize_piecewise_cudagraph_mode`` and ``_set_cudagraph_sizes``
(config/vllm.py), ``CompilationConfig.set_splitting_ops_for_v1`` (config/compilation.py), ``GptOssForCausalLMConfig``
(model_executor/models/config.py).
"""

from functools import lru_cache

from ...domain import Json
from .case import Case, Release
from .drafting import Drafting

__all__ = ["cuda_graphs"]

FIRST = (0, 11, 0)
"""First release with today's ``--max-cudagraph-capture-size``; older ones are not told."""
MODES = ("none", "stock_torch_compile", "dynamo_trace_once", "vllm_compile")
BY_LEVEL = {0: "NONE", 1: "PIECEWISE", 2: "FULL_AND_PIECEWISE", 3: "FULL_AND_PIECEWISE"}
PIECEWISE = frozenset({"PIECEWISE", "FULL_AND_PIECEWISE"})
FULL = frozenset({"FULL", "FULL_DECODE_ONLY", "FULL_AND_PIECEWISE"})
BREAKABLE: dict[str, Release] = {
    "DeepseekV4ForCausalLM": (0, 23, 0), "DeepSeekV4MTPModel": (0, 23, 0),
    "MiniMaxM3SparseForCausalLM": (0, 24, 0), "MiniMaxM3SparseForConditionalGeneration": (0, 24, 0),
    "InklingForCausalLM": (0, 26, 0), "InklingForConditionalGeneration": (0, 26, 0),
    "DeepseekV32ForCausalLM": (0, 29, 0), "Dots3NoteForCausalLM": (0, 29, 0), "GlmMoeDsaForCausalLM": (0, 29, 0),
    "HYV4ForCausalLM": (0, 29, 0), "KimiK3ForConditionalGeneration": (0, 29, 0),
    "KimiLinearForCausalLM": (0, 29, 0),
    "DeepseekV4ForConditionalGeneration": (0, 30, 0), "DeepseekV41ForCausalLM": (0, 30, 0),
    "Glm5NextForCausalLM": (0, 30, 0), "Glm5NextForConditionalGeneration": (0, 30, 0),
    "Qwen4ExpForCausalLM": (0, 30, 0), "Qwen4ExpForConditionalGeneration": (0, 30, 0),
    "AliceAIForCausalLM": (0, 33, 0), "BeamForCausalLM": (0, 33, 0), "MuseSpark1xForCausalLM": (0, 33, 0),
    "MuseSparkForConditionalGeneration": (0, 33, 0), "Step5ForCausalLM": (0, 33, 0),
    "Step5ForConditionalGeneration": (0, 33, 0),
}  # fmt: skip
"""Architectures whose graphs break around attention without compilation, by first release (CUDA only)."""


def cuda_graphs(case: Case, drafting: Drafting | None) -> None:
    """optimization_level, compilation_mode, cudagraph_mode and the capture sizes."""
    case.take("enforce_eager", False)
    if case.has((0, 12, 0)):
        level = _level(case)
        case.put("optimization_level", level, "default" if case.given("optimization_level") is None else "given")
    if case.release < FIRST or case.vendor not in ("nvidia", "amd", "cpu", None):
        why = "not told before 0.11" if case.release < FIRST else "this platform's own rules are not modelled"
        case.put("cudagraph_mode", None, "assumed", why)
        return
    mode, mode_why = _compilation_mode(case)
    graphs, why = _graph_mode(case, drafting, mode)
    if case.vendor == "cpu":
        graphs, why = "NONE", "a CPU has no CUDA graphs"
        if case.given("enable_lora") is True:
            mode, mode_why = 0, "a CPU does not compile with LoRA"
        elif mode == 3:
            mode = 2
    case.put("compilation_mode", mode, "derived" if mode_why else "default", mode_why)
    case.put("cudagraph_mode", graphs, "default" if not why else "derived", why)
    _sizes(case, drafting, graphs)


def _level(case: Case) -> int:
    given = case.given("optimization_level")
    text = str(given).removeprefix("O") if given is not None else "2"
    return int(text) if text.isdigit() and len(text) == 1 else 2


def _compilation_mode(case: Case) -> tuple[int, str]:
    """0 none, 1 stock, 2 dynamo once, 3 vLLM's own; and why it is not the default 3."""
    if case.given("enforce_eager") is True:
        return 0, "--enforce-eager"
    if case.env.get("TORCH_COMPILE_DISABLE") == "1" and case.release >= (0, 20, 0):
        return 0, "TORCH_COMPILE_DISABLE"
    if _breakable(case):
        return 0, "this architecture uses breakable CUDA graphs without compilation"
    asked = case.mapping("compilation_config").get("mode")
    if isinstance(asked, int) and not isinstance(asked, bool):
        return asked, "given in --compilation-config"
    if isinstance(asked, str):
        text = asked.lower()
        if text.isdigit():
            return int(text), "given in --compilation-config"
        if text in MODES:
            return MODES.index(text), "given in --compilation-config"
    if (
        case.model is not None
        and case.model.architecture == "LongcatFlashNgramForCausalLM"
        and case.release >= (0, 26, 0)
    ):
        return 0, "this architecture is not compiled"
    if case.release >= (0, 12, 0) and _level(case) == 0:
        return 0, "-O0"
    return 3, ""


def _breakable(case: Case) -> bool:
    env = case.env.get("VLLM_USE_BREAKABLE_CUDAGRAPH")
    if env is not None and case.release >= (0, 22, 0):
        return env not in ("0", "", "false", "False")
    architecture = None if case.model is None else case.model.architecture
    since = BREAKABLE.get(architecture or "")
    if since is None or case.release < since:
        return False
    return case.vendor != "amd" or case.release < (0, 31, 0) or architecture == "DeepseekV41ForCausalLM"


def _graph_mode(case: Case, drafting: Drafting | None, mode: int) -> tuple[str, str]:
    """CUDA graph mode in force, and why it is not the level's own."""
    if case.given("enforce_eager") is True:
        return "NONE", "--enforce-eager"
    asked = case.mapping("compilation_config").get("cudagraph_mode")
    graphs, why = BY_LEVEL.get(_level(case), "FULL_AND_PIECEWISE"), ""
    if isinstance(asked, str):
        graphs, why = asked.upper(), "given in --compilation-config"
    elif case.given("optimization_level") is not None and _level(case) < 2:
        why = f"-O{_level(case)}"
    elif (
        case.model is not None
        and case.model.architecture == "LongcatFlashNgramForCausalLM"
        and case.release >= (0, 26, 0)
    ):
        graphs, why = "FULL", "this architecture is captured whole"
    if (
        drafting is not None
        and drafting.dynamic
        and graphs in FULL
        and case.value("model_runner") != "v2"
        and case.release >= (0, 24, 0)
    ):
        graphs, why = "PIECEWISE", "draft length that follows the batch, on the V1 model runner"
    graphs, why = _without_compilation(case, graphs, why, mode)
    graphs, why = _by_model(case, graphs, why)
    return _by_transport(case, graphs, why, mode)


def _without_compilation(case: Case, graphs: str, why: str, mode: int) -> tuple[str, str]:
    """Piecewise graphs need vLLM's compilation."""
    if mode == 3 or _breakable(case):
        return graphs, why
    if case.release < (0, 13, 0) and graphs != "NONE":
        return "NONE", "no graphs without vLLM compilation before 0.13"
    if graphs in PIECEWISE:
        if case.release >= (0, 30, 0) and graphs == "FULL_AND_PIECEWISE":
            return "FULL_DECODE_ONLY", "piecewise graphs need vLLM compilation"
        return "NONE", "piecewise graphs need vLLM compilation"
    return graphs, why


def _by_model(case: Case, graphs: str, why: str) -> tuple[str, str]:
    model = case.model
    dcp = case.whole_or("decode_context_parallel_size", 1)
    if case.release < (0, 13, 0) and graphs in FULL and dcp > 1:
        return "PIECEWISE", "decode context parallelism before 0.13"
    pooling = case.given("runner") == "pooling" or (model is not None and model.is_pooling)
    if pooling and graphs in FULL:
        return "PIECEWISE", "pooling models have no full graphs"
    if model is not None and model.is_encoder_decoder and graphs in FULL:
        if case.release < (0, 14, 0):
            return "PIECEWISE", "encoder-decoder models have no full graphs"
        return "FULL_DECODE_ONLY", "encoder-decoder models have graphs for decode only"
    return graphs, why


def _by_transport(case: Case, graphs: str, why: str, mode: int) -> tuple[str, str]:
    """KV connectors and expert transports that cannot be captured."""
    transfer = case.mapping("kv_transfer_config")
    if transfer and graphs in FULL and case.release >= (0, 17, 0) and _layerwise(transfer):
        graphs, why = "PIECEWISE", "layerwise KV transfer cannot be captured"
    dp = case.whole_or("data_parallel_size", 1)
    moe = case.model is None or case.model.moe is not None
    if case.given("all2all_backend") == "deepep_high_throughput" and dp > 1 and moe and graphs != "NONE":
        return "NONE", "DeepEP high-throughput kernels cannot be captured"
    if mode == 3 and case.mapping("compilation_config").get("splitting_ops") == []:
        if graphs == "PIECEWISE":
            return "NONE", "piecewise graphs need splitting ops"
        if graphs == "FULL_AND_PIECEWISE":
            return "FULL", "piecewise graphs need splitting ops"
    return graphs, why


def _layerwise(transfer: "dict[str, Json] | object") -> bool:
    if not isinstance(transfer, dict):
        return False
    extra = transfer.get("kv_connector_extra_config")
    extra = extra if isinstance(extra, dict) else {}
    if transfer.get("kv_connector") == "LMCacheConnectorV1":
        return bool(extra.get("use_layerwise"))
    children = extra.get("connectors")
    if transfer.get("kv_connector") == "MultiConnector" and isinstance(children, list):
        return any(_layerwise(child) for child in children)
    return False


def _sizes(case: Case, drafting: Drafting | None, graphs: str) -> None:
    """Batch sizes in tokens that graphs are captured for, ascending."""
    largest, listed = "max_cudagraph_capture_size", "cudagraph_capture_sizes"
    if graphs == "NONE":
        case.put(largest, 0, "derived", "no CUDA graphs")
        case.put(listed, [], "derived", "no CUDA graphs")
        return
    tokens, seqs = case.number("max_num_batched_tokens"), case.number("max_num_seqs")
    asked = case.given(listed) or case.mapping("compilation_config").get(listed)
    top = case.whole(largest)
    if top is None:
        inside = case.mapping("compilation_config").get(largest)
        top = inside if isinstance(inside, int) and not isinstance(inside, bool) else None
    if isinstance(asked, list) and asked:
        kept = sorted({size for size in asked if isinstance(size, int) and (tokens is None or size <= tokens)})
        case.put(largest, kept[-1] if kept else 0, "derived", "the largest size given")
        case.put(
            listed,
            list(kept),
            "given",
            "" if len(kept) == len(set(map(str, asked))) else "sizes over max_num_batched_tokens dropped",
        )
        return
    if tokens is None or (seqs is None and top is None):
        why = "min(2 x max_num_seqs x (draft tokens + 1), 512), and max_num_batched_tokens: not all known"
        case.put(largest, None, "assumed", why)
        case.put(listed, None, "assumed", why)
        return
    sizes, why = _default_sizes(case, drafting, top, tokens, seqs or 0)
    if drafting is not None and drafting.dynamic and top is None and case.release >= (0, 29, 0):
        case.put(largest, sizes[-1], "derived", why)
        case.put(listed, None, "assumed", "each draft length of the schedule brings sizes of its own")
        return
    case.put(
        largest, sizes[-1] if sizes else 0, "given" if case.given(largest) == (sizes or [0])[-1] else "derived", why
    )
    case.put(listed, list(sizes), "derived", why)


def _default_sizes(
    case: Case, drafting: Drafting | None, top: int | None, tokens: int, seqs: int
) -> tuple[list[int], str]:
    uniform: list[int] = []
    why = "given"
    if top is None and case.model is not None and case.model.architecture == "GptOssForCausalLM":
        top, why = 1024, "gpt-oss raises it to 1024"
    if top is None:
        blackwell = case.capability is not None and case.capability[0] == 10 and case.release >= (0, 28, 0)
        ceiling = 1024 if blackwell else 512
        query = 1 + ((drafting.tokens or 0) if drafting is not None and case.release >= (0, 13, 0) else 0)
        top = min(seqs * query * 2, ceiling)
        why = f"min(2 x max_num_seqs{' x (draft tokens + 1)' if query > 1 else ''}, {ceiling}, max_num_batched_tokens)"
        uniform = _uniform_sizes(case, query, seqs, top, ceiling)
    top = min(tokens, top)
    dense = case.given("performance_mode") == "interactivity" and case.release >= (0, 17, 0)
    sizes = set(_grid(top, dense=dense))
    if case.release >= (0, 20, 0) and tokens <= top:
        sizes.add(tokens)
    sizes.update(size for size in uniform if size <= tokens)
    return sorted(sizes), why


@lru_cache(maxsize=64)
def _grid(top: int, *, dense: bool = False) -> tuple[int, ...]:
    """1, 2, 4 (each of the first 32 when `dense`), then every 8 below 256, then every 16, up to `top`."""
    small = range(1, min(top, 32) + 1) if dense else [size for size in (1, 2, 4) if size <= top]
    return (*small, *range(8, min(top + 1, 256), 8), *range(256, top + 1, 16))


def _uniform_sizes(case: Case, query: int, seqs: int, top: int, ceiling: int) -> list[int]:
    """Sizes of whole decode batches under speculation (0.29 on), and the full batch of seats (0.31 on)."""
    if query > 1 and case.release >= (0, 29, 0):
        most = min(seqs, ceiling)
        return [count * query for count in {*_grid(most), most} if count * query <= top]
    if query == 1 and case.release >= (0, 31, 0) and seqs <= top:
        return [seqs]
    return []
