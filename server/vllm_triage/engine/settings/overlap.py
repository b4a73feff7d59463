"""Async scheduling, and which model runner the release takes.

Source: ``VllmConfig.__post_init__`` and ``use_v2_model_runner`` (config/vllm.py), ``supports_async_scheduling`` of the
executors (v1/executor).
"""

from .case import Case, Release
from .drafting import EAGLE_LIKE, Drafting

__all__ = ["async_scheduling", "methods_without_v2", "model_runner"]

FIRST_V2 = (0, 29, 0)
"""First release whose V2 model runner is the default for every architecture."""
V1_ONLY_METHODS = {
    (0, 29, 0): frozenset({"ngram", "ngram_gpu", "draft_model", "suffix", "medusa", "mlp_speculator", "custom_class"}),
    (0, 31, 0): frozenset({"ngram", "ngram_gpu", "suffix", "medusa", "mlp_speculator", "custom_class"}),
    (0, 32, 0): frozenset({"suffix", "medusa", "mlp_speculator", "custom_class"}),
    (0, 33, 0): frozenset({"suffix", "custom_class"}),
}
"""Speculative methods the V2 runner does not have, by the release that last changed them."""


def methods_without_v2(release: Release) -> frozenset[str]:
    """Speculative methods the V2 runner of a release does not have; empty before there was one."""
    return next((lacked for since, lacked in reversed(V1_ONLY_METHODS.items()) if release >= since), frozenset())


def model_runner(case: Case, drafting: Drafting | None) -> None:
    """``v2`` or ``v1`` from 0.29 on."""
    if case.release < FIRST_V2:
        return
    asked = case.env.get("VLLM_USE_V2_MODEL_RUNNER", "")
    if case.release >= (0, 30, 0) and case.given("watermark_config") is not None:
        case.put("model_runner", "v2", "derived", "watermarking needs it, whatever VLLM_USE_V2_MODEL_RUNNER says")
    elif asked in ("0", "1"):
        case.put("model_runner", "v2" if asked == "1" else "v1", "given", "VLLM_USE_V2_MODEL_RUNNER")
    elif case.vendor == "cpu":
        case.put("model_runner", "v1", "assumed", "needs Triton, which a CPU build seldom has")
    else:
        missing = _v2_lacks(case, drafting)
        if missing:
            case.put("model_runner", "v1", "derived", f"the V2 model runner does not support {missing}")
        else:
            case.put("model_runner", "v2", "default", "0.29 on, where Triton is installed")


def _v2_lacks(case: Case, drafting: Drafting | None) -> str:
    """What keeps this launch on the V1 runner, empty when nothing does."""
    pp = case.whole_or("pipeline_parallel_size", 1)
    if drafting is not None:
        if drafting.method in methods_without_v2(case.release):
            return f"speculation by {drafting.method}"
        if drafting.parallel and drafting.method not in ("dflash", "dspark"):
            return "parallel drafting"
        if case.release >= (0, 32, 0) and drafting.config.get("use_heterogeneous_vocab") is True:
            return "draft models with another vocabulary"
        if case.release < (0, 30, 0) and drafting.method == "eagle3" and pp > 1:
            return "EAGLE-3 with pipeline parallelism"
    if case.given("enable_dbo") is True or (case.release >= (0, 30, 0) and case.whole_or("ubatch_size", 0) > 1):
        return "dual batch overlap"
    if pp > 1 and case.given("distributed_executor_backend") == "external_launcher":
        return "pipeline parallelism with external_launcher"
    return _v2_lacked(case)


def _v2_lacked(case: Case) -> str:
    """What only earlier releases of the V2 runner lacked."""
    if case.release >= (0, 32, 0):
        return ""
    compilation = case.mapping("compilation_config")
    if compilation.get("mode") in (1, "STOCK_TORCH_COMPILE"):
        return "stock torch.compile"
    passes = compilation.get("pass_config")
    if isinstance(passes, dict) and passes.get("enable_sp") is True and case.whole_or("tensor_parallel_size", 1) > 1:
        return "sequence parallelism"
    if case.given("enable_elastic_ep") is True:
        return "elastic expert parallelism"
    if case.release < (0, 31, 0) and case.given("logits_processors"):
        return "custom logits processors"
    if case.release < (0, 30, 0) and case.given("kv_sharing_fast_prefill") is True:
        return "KV sharing fast prefill"
    if case.release >= (0, 30, 0) and case.given("mamba_cache_mode") == "all":
        return "Mamba cache mode all"
    return ""


def async_scheduling(case: Case, drafting: Drafting | None) -> None:
    """On by default from 0.14 unless something in the launch does not go with it."""
    name, given = "async_scheduling", case.given("async_scheduling")
    if case.release < (0, 10, 0):
        case.put(name, False, "default", "does not exist before 0.10")
    elif case.vendor == "cpu" and case.release >= (0, 14, 0):
        case.put(name, False, "derived", "always off on a CPU")
    elif given is not None:
        case.put(name, given, "given")
    elif case.release < (0, 14, 0):
        case.put(name, False, "default", "off by default before 0.14")
    else:
        against = _against(case, drafting)
        if against:
            case.put(name, False, "derived", f"off: {against}")
        else:
            case.put(name, True, "default", "on by default since 0.14")


def _against(case: Case, drafting: Drafting | None) -> str:
    """What turns async scheduling off, empty when nothing does."""
    release, pp = case.release, case.whole_or("pipeline_parallel_size", 1)
    if release >= (0, 20, 0) and _pools(case):
        return "pooling models are slower with it"
    v1_runner = case.value("model_runner") != "v2"
    if release < (0, 15, 0) and pp > 1:
        return "pipeline parallelism before 0.15"
    if drafting is not None and (release < (0, 33, 0) or v1_runner):
        if drafting.method not in _overlapping_methods(release):
            return f"not supported with speculation by {drafting.method}"
        if drafting.unpadded:
            return "not supported with disable_padded_drafter_batch"
    backend = case.value("distributed_executor_backend")
    if not _executor_overlaps(case, backend):
        return f"not supported by the {backend} executor"
    state_mode = case.value("mamba_cache_mode") or case.given("mamba_cache_mode")
    if (0, 16, 0) <= release < (0, 17, 0) and state_mode not in (None, "none"):
        return "prefix caching of recurrent models in 0.16"
    if release >= (0, 31, 0) and pp > 1 and v1_runner:
        return "pipeline parallelism on the V1 model runner"
    return ""


def _pools(case: Case) -> bool:
    """True for a model that is run to pool, by its architecture, ``--runner`` or ``--convert``."""
    runner = case.given("runner")
    converted = runner in (None, "auto") and case.given("convert") in ("embed", "classify", "reward")
    return runner == "pooling" or converted or (case.model is not None and case.model.is_pooling)


def _overlapping_methods(release: Release) -> frozenset[str]:
    methods = set(EAGLE_LIKE)
    if release < (0, 17, 0):
        methods -= {"extract_hidden_states"}
    if release >= (0, 18, 0):
        methods.add("ngram_gpu")
    if release >= (0, 28, 0):
        methods.add("draft_model")
    if release >= (0, 25, 0):
        methods.add("dspark")
    return frozenset(methods)


def _executor_overlaps(case: Case, backend: object) -> bool:
    if backend in ("mp", "uni", "external_launcher"):
        return True
    if backend != "ray":
        return False
    ray_v2 = case.env.get("VLLM_USE_RAY_V2_EXECUTOR_BACKEND", "1" if case.release >= (0, 22, 0) else "0")
    return case.release >= (0, 33, 0) or (case.release >= (0, 20, 0) and ray_v2 == "1")
