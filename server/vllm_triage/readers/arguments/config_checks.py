"""What vLLM's configuration classes check across their fields while the command line is parsed.

One function a class, after the class's own ``__post_init__`` and validators (vLLM 0.33 ``vllm/config/*.py``; what differs by
release is guarded by the release, or by the field existing there). Only what refuses is here; what is changed silently belongs to the
compatibility rules.
"""

import re
from collections.abc import Callable

from vllm_triage.domain.base import Json
from vllm_triage.facts.flag_configs import ConfigClass, names
from vllm_triage.facts.versions import number

__all__ = ["check"]


def check(cls: ConfigClass, given: dict[str, Json]) -> str | None:
    """Why the class refuses these already well-typed values, or None."""
    look = _CHECKS.get(cls.name)
    return None if look is None else look(cls, _Values(cls, given))


class _Values:
    """The values in force: given, else the class's default."""

    def __init__(self, cls: ConfigClass, given: dict[str, Json]) -> None:
        self.cls = cls
        self.given = given

    def __getitem__(self, field: str) -> Json:
        if field in self.given and field in self.cls.fields:  # what is no field is passed over
            return self.given[field]
        default: Json = self.cls.defaults.get(field)  # type: ignore[assignment]
        return default

    def has(self, field: str) -> bool:
        """True when the release's class has the field."""
        return field in self.cls.fields

    def integer(self, field: str) -> int:
        """The value as a number, 0 when there is none."""
        value = self[field]
        return value if isinstance(value, int) else 0

    def items(self, field: str) -> list[Json]:
        """The value as a list, empty when there is none."""
        value = self[field]
        return value if isinstance(value, list) else []


def _compilation(cls: ConfigClass, v: _Values) -> str | None:
    ops = [str(op) for op in v.items("custom_ops")]
    strict = number(cls.version) >= (0, 27, 0)
    for op in ops if number(cls.version) >= (0, 11, 1) else ():
        if op not in ("all", "none") and (not op or op[0] not in "+-" or (strict and len(op) < 2)):
            return f"custom_ops: {op!r} must be 'all', 'none', '+name' or '-name'"
    if sum(op in ("all", "none") for op in ops) > 1:
        return "custom_ops: only one of 'all' and 'none', once"
    both = sorted({op[1:] for op in ops if op[:1] == "+"} & {op[1:] for op in ops if op[:1] == "-"})
    if strict and both:
        return f"custom_ops: {', '.join(both)} is both enabled and disabled"
    if v["mode"] in (3, "VLLM_COMPILE") and v["backend"] not in ("", "eager", "inductor", None):
        return f"mode VLLM_COMPILE takes the backend eager or inductor, not {v['backend']!r}"
    for field in ("encoder_cudagraph_max_images_per_batch", "encoder_cudagraph_max_vision_items_per_batch",
                  "encoder_cudagraph_max_frames_per_batch"):  # fmt: skip
        if v["cudagraph_mm_encoder"] and v.integer(field) < 0:
            return f"{field} must not be negative"
    for field in ("decoder_replay_cudagraph_capture_sizes", "encoder_cudagraph_token_budgets"):
        if any(isinstance(size, int) and size <= 0 for size in v.items(field)):
            if field == "encoder_cudagraph_token_budgets" and number(cls.version) < (0, 22, 0):
                continue
            return f"{field} must all be positive"
    passes = v["inductor_passes"]
    if isinstance(passes, dict) and any("." not in str(name) for name in passes.values()):
        return "inductor_passes: give each pass as module.function"
    return None


def _attention(cls: ConfigClass, v: _Values) -> str | None:
    per_kind = v["backend_per_kind"]
    if isinstance(per_kind, dict):
        known = names("kv_kinds", cls.version)
        wrong = sorted(kind for kind in per_kind if kind not in known)
        if wrong:
            return f"backend_per_kind: {wrong[0]!r} is not one of {', '.join(known)}"
    if v["minimax_m3_indexer_cp"] and v["indexer_kv_dtype"] not in ("auto", "bf16", "fp8", "fp8_e4m3"):
        return f"minimax_m3_indexer_cp needs indexer_kv_dtype auto, bf16, fp8 or fp8_e4m3, not {v['indexer_kv_dtype']!r}"
    checked = (0, 28, 0) <= number(cls.version) < (0, 30, 0)
    if checked and v["use_fp4_indexer_cache"] and v["indexer_kv_dtype"] not in ("auto", "mxfp4"):
        return "use_fp4_indexer_cache contradicts indexer_kv_dtype: set only the latter"
    return None


def _eplb(cls: ConfigClass, v: _Values) -> str | None:
    if "after:EPLBConfig._validate_eplb_config" not in cls.checks:
        return None
    if v["use_async"] and v["policy"] != "default":
        return "use_async needs the default policy"
    nccl = v["communicator"] in ("torch_nccl", "pynccl")
    if v["use_async"] and nccl and number(cls.version) >= (0, 24, 0):
        return f"the communicator {v['communicator']} cannot be used with use_async: torch_gloo, nixl, or none"
    if v["log_balancedness"] and v.has("log_balancedness_interval") and v.integer("log_balancedness_interval") <= 0:
        return "log_balancedness_interval must be positive"
    return None


_EARLY_CONNECTORS = ("PyNcclConnector", "MooncakeConnector")
"""All of 0.6.6 (KVTransferConfig.model_post_init); later releases look for any when they start."""


def _role(prefix: str) -> Callable[[ConfigClass, _Values], str | None]:
    roles = (f"{prefix}_producer", f"{prefix}_consumer", f"{prefix}_both")

    def look(cls: ConfigClass, v: _Values) -> str | None:
        role, connector = v[f"{prefix}_role"], v[f"{prefix}_connector"]
        if number(cls.version) < (0, 7, 0) and connector not in (None, *_EARLY_CONNECTORS):
            return f"{prefix}_connector {connector!r} is not one of {', '.join(_EARLY_CONNECTORS)}"
        if role is not None and role not in roles:
            return f"{prefix}_role {role!r} is not one of {', '.join(sorted(roles))}"
        if connector is not None and role is None:
            return f"{prefix}_connector needs {prefix}_role: {', '.join(sorted(roles))}"
        return None

    return look


def _pooler(_: ConfigClass, v: _Values) -> str | None:
    if v["pooling_type"] and v["seq_pooling_type"] is not None:
        return "pooling_type and seq_pooling_type cannot both be set"
    if v["pooling_type"] and v["tok_pooling_type"] is not None:
        return "pooling_type and tok_pooling_type cannot both be set"
    if v.has("logit_scale"):
        if v["logit_bias"] is not None and v.has("logit_mean") and v["logit_mean"] is not None:
            return "logit_bias and logit_mean cannot both be set"
        if v["logit_scale"] is not None and v.has("logit_sigma"):
            if v["logit_sigma"] is not None:
                return "logit_scale and logit_sigma cannot both be set"
            if v["logit_scale"] == 0:
                return "logit_scale cannot be 0"
    if v.has("logit_sigma") and v["logit_sigma"] == 0 and v["logit_sigma"] is not False:
        return "logit_sigma cannot be 0"
    return None


_PROTON = {
    "proton_profiler_dir": "", "proton_context": "shadow", "proton_data": "tree", "proton_backend": None, "proton_mode": None,
    "proton_hook": None, "proton_output_format": None, "proton_graph_attribution": False,
}  # fmt: skip


def _profiler(cls: ConfigClass, v: _Values) -> str | None:
    torch = v["profiler"] == "torch"
    if number(cls.version) < (0, 16, 0):  # there the folder alone chooses torch
        torch = torch or bool(v["torch_profiler_dir"])
    activities = v.items("torch_profiler_activities")
    if v["torch_profiler_activities"] is not None and not torch:
        return "torch_profiler_activities needs profiler torch"
    if len(activities) != len({str(activity) for activity in activities}):
        return "torch_profiler_activities must not repeat"
    if v["torch_profiler_dir"] and not torch:
        return "torch_profiler_dir needs profiler torch"
    if torch and not v["torch_profiler_dir"]:
        return "profiler torch needs torch_profiler_dir"
    if v.has("proton_profiler_dir"):
        problem = _proton(v)
        if problem is not None:
            return problem
    if v["capture_torch_profiler"] and not torch:
        return "capture_torch_profiler needs profiler torch"
    return None


def _proton(v: _Values) -> str | None:
    proton = v["profiler"] == "proton"
    given = [field for field, default in _PROTON.items() if v.has(field) and v[field] != default]
    if given and not proton:
        return f"{', '.join(given)} needs profiler proton"
    if not proton:
        return None
    folder = str(v["proton_profiler_dir"] or "")
    if not folder:
        return "profiler proton needs proton_profiler_dir"
    if re.match(r"[a-zA-Z0-9+.-]+://", folder):
        return "proton_profiler_dir must be a local folder"
    if v["proton_graph_attribution"] and v["proton_data"] != "tree":
        return "proton_graph_attribution needs proton_data tree"
    if v["proton_graph_attribution"] and str(v["proton_mode"] or "").split(":", 1)[0].lower() == "periodic_flushing":
        return "proton_graph_attribution excludes periodic_flushing"
    if v["proton_output_format"] == "chrome_trace" and v["proton_data"] != "trace":
        return "proton_output_format chrome_trace needs proton_data trace"
    if v["proton_output_format"] in ("hatchet", "hatchet_msgpack") and v["proton_data"] != "tree":
        return f"proton_output_format {v['proton_output_format']} needs proton_data tree"
    return None


def _structured(cls: ConfigClass, v: _Values) -> str | None:
    parser, known = v["reasoning_parser"], names("reasoning_parsers", cls.version)
    if number(cls.version) < (0, 13, 0) and parser and parser not in known and not v["reasoning_parser_plugin"]:
        return f"reasoning_parser {parser!r} is not one of {', '.join(known)}"
    if v["disable_any_whitespace"] and v["backend"] not in ("xgrammar", "guidance"):
        return "disable_any_whitespace needs the backend xgrammar or guidance"
    if v["disable_additional_properties"] and v["backend"] != "guidance":
        return "disable_additional_properties needs the backend guidance"
    return None


def _engram(_: ConfigClass, v: _Values) -> str | None:
    if v["dp_shared_memory"] and not v["cpu_offload"]:
        return "dp_shared_memory needs cpu_offload"
    if v["use_thp"] and (not v["cpu_offload"] or v["dp_shared_memory"]):
        return "use_thp needs cpu_offload and excludes dp_shared_memory"
    return None


def _encoder_cache(_: ConfigClass, v: _Values) -> str | None:
    if v.has("manager_config") and v["encoder_cache_manager_cls"] is None and v["manager_config"]:
        return "manager_config needs encoder_cache_manager_cls"
    return None


def _quantization(cls: ConfigClass, v: _Values) -> str | None:
    targets = v["targets"]
    if isinstance(targets, dict):
        known = names("online", cls.version)
        for pattern, shorthand in targets.items():
            if shorthand not in known:
                return f"targets: {shorthand!r} is not one of {', '.join(known)}"
            if pattern.startswith("re:") and not _compiles(pattern[3:]):
                return f"targets: {pattern!r} is not a regular expression"
        if v["linear"] is not None or v["moe"] is not None:
            return "targets excludes linear and moe"
    return None


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


_CHECKS: dict[str, Callable[[ConfigClass, _Values], str | None]] = {
    "AttentionConfig": _attention,
    "CompilationConfig": _compilation,
    "ECTransferConfig": _role("ec"),
    "EPLBConfig": _eplb,
    "EncoderCacheManagerConfig": _encoder_cache,
    "EngramConfig": _engram,
    "KVTransferConfig": _role("kv"),
    "PoolerConfig": _pooler,
    "ProfilerConfig": _profiler,
    "QuantizationConfigArgs": _quantization,
    "StructuredOutputsConfig": _structured,
}
