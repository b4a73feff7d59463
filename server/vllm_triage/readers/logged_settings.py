"""Engine settings a server prints as resolved: in the engine's configuration line, and in ``cache_config_info``."""

import re
from collections.abc import Iterable, Mapping

from ..domain import Json
from .lazy import Lazy

__all__ = ["cache_settings", "resolved_settings"]

_RESOLVED = {
    "max_seq_len": "max_model_len",
    "tensor_parallel_size": "tensor_parallel_size",
    "pipeline_parallel_size": "pipeline_parallel_size",
    "data_parallel_size": "data_parallel_size",
    "quantization": "quantization",
    "enforce_eager": "enforce_eager",
    "kv_cache_dtype": "kv_cache_dtype",
    "dtype": "dtype",
    "enable_prefix_caching": "enable_prefix_caching",
    "enable_chunked_prefill": "enable_chunked_prefill",
    "chunked_prefill_enabled": "enable_chunked_prefill",
}
"""Name in the engine's configuration line, and the setting it is."""
_PAIR = Lazy(r"\b(" + "|".join(_RESOLVED) + r")=('[^'\n]{0,200}'|[^,\s()]{1,100})")
MAX_LINE = 60_000

_CACHE = {
    "gpu_memory_utilization": "gpu_memory_utilization",
    "enable_prefix_caching": "enable_prefix_caching",
    "block_size": "block_size",
    "cache_dtype": "kv_cache_dtype",
    "kv_cache_memory_bytes": "kv_cache_memory_bytes",
    "num_gpu_blocks_override": "num_gpu_blocks_override",
}
"""Label of ``vllm:cache_config_info``, and the setting it is."""


def resolved_settings(line: str) -> dict[str, Json]:
    """Settings of an ``Initializing a V1 LLM engine (...) with config:`` line, by setting name."""
    out: dict[str, Json] = {}
    for name, raw in _PAIR.pairs(line[:MAX_LINE]):
        out.setdefault(_RESOLVED[name], _value(raw.strip("'")))
    return out


def cache_settings(engines: Iterable[Mapping[str, str]]) -> dict[str, Json]:
    """Settings on which the ``cache_config_info`` of all engines agrees; unset ones are left out."""
    rows = list(engines)
    out: dict[str, Json] = {}
    for label, setting in _CACHE.items():
        told = {row[label] for row in rows if label in row}
        if len(told) == 1 and (value := _value(told.pop())) is not None:
            out[setting] = value
    return out


def _value(text: str) -> Json:
    """A printed Python value: true, false, none, a number, or a word (``torch.bfloat16`` is ``bfloat16``)."""
    if text in ("True", "False", "None"):
        return {"True": True, "False": False, "None": None}[text]
    if text.isdecimal() and len(text) < 16:
        return int(text)
    if re.fullmatch(r"\d{1,9}\.\d{1,12}", text):
        return float(text)
    return text.removeprefix("torch.")
