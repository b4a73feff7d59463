"""What a vLLM startup log says of memory, the KV pool, the launch, and why it failed.

Every line that prints one of these figures since 0.6.6 is known in each of its forms. When a log holds several starts
the last one that says something is read. Tensor- and pipeline-parallel workers print their own figures: the smallest
pool and the largest weights bind. The printed pool is of one engine.
"""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from ..domain import Json, PoolReading
from .launches import read_launches
from .lazy import Lazy
from .logged_settings import resolved_settings
from .reading import Partial, excerpt
from .startup_failure import Failure, failure_of

__all__ = ["looks_like_startup_log", "read_startup", "read_startup_log"]

GB = 1e9 / 2**30
"""0.6.6 printed weights in GB."""

_G = r"(-?\d{1,7}(?:\.\d{1,6})?)\s*"
_FIGURES: tuple[tuple[str, str, Lazy, str], ...] = (
    ("tokens", "KV cache size: ", Lazy(r"KV cache size: ([\d,]{1,20}) tokens"), "min"),
    ("max_concurrency", "Maximum concurrency for ", Lazy(r"per request: (\d{1,9}(?:\.\d+)?)x"), "min"),
    ("max_model_len", "Maximum concurrency for ", Lazy(r"Maximum concurrency for ([\d,]{1,20}) tokens"), "min"),
    ("blocks", " blocks: ", Lazy(r"# \w{1,10} blocks: (\d{1,12}), # CPU blocks"), "min"),
    ("blocks", "initialization after num_gpu_blocks is: ", Lazy(r"num_gpu_blocks is: (\d{1,12})"), "min"),
    (
        "blocks",
        "num_gpu_blocks_override=",
        Lazy(r"Overriding num_gpu_blocks=\d+ with num_gpu_blocks_override=(\d{1,12})"),
        "min",
    ),
    ("available_kv_gib", "Available KV cache memory: ", Lazy(rf"Available KV cache memory: {_G}GiB"), "min"),
    ("available_kv_gib", "reserved for KV Cache is ", Lazy(rf"reserved for KV Cache is {_G}GiB"), "min"),
    ("available_kv_gib", " for KV cache on node ", Lazy(rf"set \({_G}/"), "min"),
    ("weights_gib", "Model loading took ", Lazy(rf"Model loading took {_G}(?:GiB|GB)"), "max"),
    ("weights_gib", "Loading model weights took ", Lazy(rf"Loading model weights took {_G}GiB"), "max"),
    ("weights_gib", "model weights take ", Lazy(rf"model weights take {_G}GiB"), "max"),
    ("weights_gib", "weights memory: ", Lazy(rf"weights memory: {_G}GiB"), "max"),
    ("weights_gb", "Loading model weights took ", Lazy(rf"Loading model weights took {_G}GB"), "max"),
    ("activation_gib", "activation peak memory takes ", Lazy(rf"activation peak memory takes {_G}GiB"), "max"),
    ("activation_gib", "torch peak memory increase: ", Lazy(rf"torch peak memory increase: {_G}GiB"), "max"),
    ("non_torch_gib", "non_torch_memory takes ", Lazy(rf"non_torch_memory takes {_G}GiB"), "max"),
    (
        "non_torch_gib",
        "non-torch forward increase memory: ",
        Lazy(rf"non-torch forward increase memory: {_G}GiB"),
        "max",
    ),
    ("cuda_graph_gib", "Graph capturing finished in ", Lazy(rf"took {_G}GiB"), "max"),
    ("cuda_graph_gib", "CUDA graph pool memory: ", Lazy(rf"CUDA graph pool memory: {_G}GiB"), "max"),
    ("graph_estimate_gib", "Estimated CUDA graph memory: ", Lazy(rf"graph memory: {_G}GiB total"), "max"),
    ("total_gib", "total_gpu_memory (", Lazy(rf"total_gpu_memory \({_G}GiB\)"), "min"),
    ("total_gib", "total_memory=", Lazy(rf"total_memory={_G}GiB"), "min"),
    ("free_gib", "Initial free memory: ", Lazy(rf"Initial free memory: {_G}GiB"), "min"),
    ("total_gib", "on startup. Desired GPU memory", Lazy(rf"\([\d.]+/{_G}GiB\) on startup"), "min"),
    ("free_gib", "on startup. Desired GPU memory", Lazy(rf"device \({_G}/"), "min"),
    ("weights_gib", "GiB for weight, ", Lazy(rf"{_G}GiB for weight"), "max"),
    ("activation_gib", "GiB for weight, ", Lazy(rf"{_G}GiB for peak activation"), "max"),
    ("non_torch_gib", "GiB for weight, ", Lazy(rf"{_G}GiB for non-torch memory"), "max"),
    ("cuda_graph_gib", "GiB for CUDAGraph memory", Lazy(rf"{_G}GiB for CUDAGraph memory"), "max"),
    ("consumed_gib", "GiB for consumed memory", Lazy(rf"{_G}GiB for consumed memory"), "max"),
    ("headroom_gib", "GiB for consumed memory", Lazy(rf"{_G}GiB for peak activation"), "max"),
    ("available_kv_gib", "kv cache memory in use is ", Lazy(rf"kv cache memory in use is {_G}GiB"), "min"),
    ("fitted_len", "Auto-fit max_model_len: ", Lazy(r"reduced from \d+ to (\d{1,12})"), "min"),
    ("resolved_len", "Using max model len ", Lazy(r"Using max model len (\d{1,12})"), "min"),
)
"""Figure, a fixed text to find its line by, the number in that line, and which of several workers' figures binds."""

_STARTS = (
    "vLLM API server version ",
    "█  version ",
    "▄▀▄ █  version",
    "vLLM server version ",
    "Initializing an LLM engine (v",
)
_MARKS = (
    "LLM engine (v", "non-default args:", "KV cache size: ", "Available KV cache memory", "# GPU blocks",
    "# cuda blocks", "# CPU blocks", "Model loading took", "Loading model weights took", "model weights take",
    "EngineCore", "vllm: error:", "api_server.py: error:", "vllm serve: error:", "cache blocks. Try",
    "No available memory for the cache", "To serve at least one request", "is less than desired",
    "Maximum concurrency for ", "vLLM API server version", "vLLM server version", "Using max model len",
    "warming up sampler", "out of memory", "OutOfMemoryError", "max seq len (", "initialization after num_gpu_blocks",
    "Graph capturing finished",
)  # fmt: skip
_VERSION = Lazy(
    r"(?:█  version |API server version |vLLM server version |LLM engine \(v)"
    r"v?(\d{1,3}\.\d{1,3}(?:\.\d{1,3})?[\w.+-]{0,40})"
)
_MODEL = Lazy(r"(?:█  model   |serving model )(\S{1,300})|with config: (?:VllmConfig\()?model='([^'\n]{1,300})'")
_DEVICES = (
    ("device_config=", Lazy(r"\bdevice_config=(?:device\()?(?:type=)?'?(\w{1,20})")),
    (" KV cache size", Lazy(r"\b(CPU|XPU|TPU|HPU|NPU)(?: \+ host)? KV cache size")),
    ("device_name=", Lazy(r"\bdevice_name=([\w .-]{3,60}?)(?:,|\.json|$)")),
)
_SETTINGS = (
    ("max_num_batched_tokens", "with max_num_batched_tokens=", Lazy(r"with max_num_batched_tokens=(\d{1,12})")),
    ("async_scheduling", "synchronous scheduling is ", Lazy(r"Asynchronous scheduling is (enabled|disabled)")),
    ("attention_backend", " attention backend", Lazy(r"Using (\w{2,60}) attention backend")),
)
_GENERIC_DEVICES = frozenset({"cuda", "auto", "gpu", "none", "rocm"})


def looks_like_startup_log(text: str) -> bool:
    """True when the text has a line that only a starting (or failing) vLLM prints."""
    return any(mark in text for mark in _MARKS)


def read_startup_log(text: str) -> PoolReading | None:
    """The memory and pool figures of a log, or why it failed; None when it says neither."""
    part = read_startup(text)
    return None if part is None else part.pool


@dataclass(slots=True)
class _Start:
    """The lines of one start."""

    text: str
    figures: dict[str, float] = field(default_factory=dict)
    failure: Failure | None = None

    def number(self, name: str) -> int | None:
        value = self.figures.get(name)
        return None if value is None else int(value)


def read_startup(text: str) -> Partial | None:
    """Everything a startup log says; None when it is none."""
    if not looks_like_startup_log(text):
        return None
    starts = [_Start(chunk) for chunk in _starts(text)]
    for start in starts:
        start.figures = _figures(start.text)
        start.failure = failure_of(start.text)
    telling = [s for s in starts if s.figures or s.failure] or starts[-1:]
    start = telling[-1]
    failed = "" if start.failure is None else f" of a start that failed ({start.failure.kind or 'unknown cause'})"
    part = Partial(what=f"startup log{failed}")
    if len(starts) > 1:
        part.what += f", {len(starts)} starts, the last read"
    _identity(start.text, part)
    part.pool = _pool(start)
    if not (part.pool or part.launch or part.vllm_version or part.settings):
        return None
    return part


def _starts(text: str) -> list[str]:
    cuts = sorted({text.rfind("\n", 0, at) + 1 for mark in _STARTS for at in _positions(text, mark)})
    merged = [cut for cut, after in pairwise([*cuts, len(text)]) if _worth(text, cut, after)]
    if len(merged) < 2:
        return [text]
    bounds = [0, *merged[1:], len(text)]
    return [text[a:b] for a, b in pairwise(bounds)]


def _worth(text: str, start: int, end: int) -> bool:
    """True when between two banners an engine was configured: several API servers of one start print a banner each."""
    return any(text.find(mark, start, end) >= 0 for mark in ("LLM engine (v", "rror:", "KV cache size"))


def _positions(text: str, needle: str, limit: int = 4000) -> Iterator[int]:
    at = text.find(needle)
    while at >= 0 and limit:
        yield at
        limit -= 1
        at = text.find(needle, at + len(needle))


def lines_with(text: str, needle: str) -> Iterator[str]:
    """Lines holding `needle`, each at most 20,000 characters."""
    for at in _positions(text, needle):
        begin = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        yield text[max(begin, at - 2000) : min(len(text) if end < 0 else end, at + 20_000)]


def _figures(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, needle, pattern, binds in _FIGURES:
        for line in lines_with(text, needle):
            if (match := pattern.search(line)) is None:
                continue
            value = float(match.group(1).replace(",", ""))
            found[name] = value if name not in found else (min if binds == "min" else max)(found[name], value)
    if "weights_gb" in found:
        found["weights_gib"] = max(found.get("weights_gib", 0.0), found.pop("weights_gb") * GB)
    estimate = found.pop("graph_estimate_gib", None)
    consumed, headroom = found.pop("consumed_gib", None), found.pop("headroom_gib", None)
    if consumed is not None and consumed >= (weights := found.get("weights_gib", consumed)) > 0:
        found.setdefault("non_torch_gib", round(consumed - weights, 2))  # from 0.25 the two are printed as one
    if headroom is not None and estimate is not None and headroom >= estimate:
        found.setdefault("activation_gib", round(headroom - estimate, 2))  # and the graphs' estimate is in the peak
    if estimate is not None:
        found.setdefault("cuda_graph_gib", estimate)
    return found


def _pool(start: _Start) -> PoolReading | None:
    figures, failure = start.figures, start.failure
    told = figures.keys() - {"fitted_len", "resolved_len"}
    if not told and failure is None:
        return None
    length = start.number("max_model_len") or start.number("fitted_len") or start.number("resolved_len")
    pool = PoolReading(
        tokens=start.number("tokens"),
        blocks=start.number("blocks"),
        max_concurrency=figures.get("max_concurrency"),
        max_model_len=length,
        available_kv_gib=figures.get("available_kv_gib"),
        weights_gib=figures.get("weights_gib"),
        activation_gib=figures.get("activation_gib"),
        non_torch_gib=figures.get("non_torch_gib"),
        cuda_graph_gib=figures.get("cuda_graph_gib"),
        total_gib=figures.get("total_gib"),
        free_gib=figures.get("free_gib"),
        source="startup log",
    )
    if failure is None:
        return pool
    return pool.but(
        error=failure.message,
        error_kind=failure.kind,
        needed_kv_gib=failure.needed_kv_gib,
        estimated_max_model_len=failure.estimated_max_model_len,
        available_kv_gib=pool.available_kv_gib if failure.available_kv_gib is None else failure.available_kv_gib,
        max_model_len=failure.max_model_len or pool.max_model_len,
        total_gib=pool.total_gib if failure.total_gib is None else failure.total_gib,
        free_gib=pool.free_gib if failure.free_gib is None else failure.free_gib,
    )


def _identity(text: str, part: Partial) -> None:
    """Version, model, device, launch, and settings the log prints as resolved."""
    if match := _VERSION.search(text):
        part.vllm_version = match.group(1).rstrip(".,)")
    if match := _MODEL.search(text):
        part.model_name = (match.group(1) or match.group(2)).rstrip(",")
    part.device = _device(text)
    settings: dict[str, Json] = {}
    for line in lines_with(text, "LLM engine (v"):
        settings = resolved_settings(line)
    for name, needle, pattern in _SETTINGS:
        for line in lines_with(text, needle):
            if match := pattern.search(line):
                settings[name] = _setting(match.group(1))
                break
    part.settings = settings
    _launch(text, part)


def _device(text: str) -> str | None:
    """The device a line names; ``cuda`` names none."""
    for needle, pattern in _DEVICES:
        for line in lines_with(text, needle):
            if (match := pattern.search(line)) and match.group(1).lower() not in _GENERIC_DEVICES:
                name = match.group(1).replace("_", " ")
                return name.upper() if len(name) <= 4 else name
    return None


def _setting(value: str) -> Json:
    if value in ("enabled", "disabled"):
        return value == "enabled"
    return int(value) if value.isdecimal() else value


def _launch(text: str, part: Partial) -> None:
    """The launch the log shows, as a command: ``non-default args``, before 0.9.2 ``args: Namespace(...)``."""
    lines = [line for needle in _SHOWS_LAUNCH for line in lines_with(text, needle)]
    if not lines:
        return
    paste = read_launches("\n".join(lines))
    part.unread += [excerpt(f"startup log: {said}") for said in paste.unread]
    served = [launch for launch in paste.launches if launch.entrypoint != "llm"] or list(paste.launches)
    if served:
        part.launch = shlex.join(["vllm", "serve", *served[-1].words])


_SHOWS_LAUNCH = ("version ", "non-default args:", "args: Namespace(", "LLM engine (v")
