"""Why a vLLM server stopped, from the exception its log ends with: at start, or out of memory while it served."""

import re
from dataclasses import dataclass

from .lazy import Lazy
from .reading import excerpt

__all__ = ["Failure", "failure_of"]

MAX_MESSAGE = 300

_G = r"(\d{1,7}(?:\.\d{1,6})?)"
_LOG_PREFIX = Lazy(
    r"^\s*(?:\([^)\n]{1,80}\)\s*)*(?:[A-Z]{4,8} [\d-]{5,10} [\d:.,]{8,16} )?(?:\[[\w./ -]{1,80}:\d+\]\s?)?\s*"
)
_TYPE = Lazy(r"^\s*(?:[A-Za-z_]\w*\.){0,6}([A-Z]\w*(?:Error|Exception|Interrupt)):\s?(.*)", re.DOTALL)
_STARTED = ("Application startup complete", "Starting vLLM server on ", "Starting vLLM API server")
_WRAPPERS = (
    "Engine core initialization failed",
    "Engine process failed to start",
    "WorkerProc initialization failed",
    "background process",
)
_PYDANTIC_TAIL = Lazy(r"\s*\[type=\w+, input_value=.*$", re.DOTALL)
_ARGPARSE = Lazy(r"^[^\n]{0,80}?\b(?:vllm|api_server\.py|serve|bench)[\w ]{0,20}: error: ([^\n]{1,600})", re.MULTILINE)
_NEEDS = Lazy(
    rf"max seq len \((\d{{1,12}})\), \({_G} GiB KV cache is needed, "
    rf"which is larger than the available KV cache memory \({_G} GiB\)"
)
_LEN = Lazy(r"max seq len \((\d{1,12})\)")
_ESTIMATE = Lazy(r"estimated maximum model length is (\d{1,12})")
_FREE = Lazy(rf"\({_G}/{_G} GiB\) on startup")


@dataclass(frozen=True, slots=True)
class Failure:
    """`kind` is one of those of :class:`~vllm_triage.domain.PoolReading`, None for an exception of no known kind."""

    kind: str | None
    message: str
    needed_kv_gib: float | None = None
    available_kv_gib: float | None = None
    estimated_max_model_len: int | None = None
    max_model_len: int | None = None
    total_gib: float | None = None
    free_gib: float | None = None


def failure_of(text: str) -> Failure | None:
    """The failure a log ends with; None when no exception is shown, or one of a request to a server that came up."""
    up = max(text.rfind(mark) for mark in _STARTED)
    if up >= 0:
        return _out_of_memory(text, up, served=True)
    if match := _ARGPARSE.search(text):
        return Failure("arguments", excerpt(match.group(1), MAX_MESSAGE))
    for kind, needles in (
        (
            "max_len_exceeds_kv",
            ("To serve at least one request with the model", "larger than the maximum number of tokens that can be"),
        ),
        ("no_kv_memory", ("No available memory for the cache blocks",)),
        (
            "oom_sampler",
            ("when warming up sampler", "when warming up pooler"),
        ),
        ("free_memory", ("is less than desired", "Error in memory profiling", "is less than the engine's budget")),
    ):
        for needle in needles:
            if (at := text.find(needle)) >= 0:
                return _known(kind, _line(text, at))
    return _out_of_memory(text, 0, served=False) or _exception(text)


def _out_of_memory(text: str, begin: int, *, served: bool) -> Failure | None:
    """CUDA ran out of memory somewhere after `begin`."""
    for needle in ("OutOfMemoryError", "out of memory"):
        if (at := text.find(needle, begin)) >= 0:
            return Failure("oom_serving" if served else _phase(text, at), _clean(_line(text, at)))
    return None


def _line(text: str, at: int) -> str:
    begin = max(text.rfind("\n", 0, at) + 1, at - 2000)
    end = text.find("\n", at)
    return text[begin : min(len(text) if end < 0 else end, at + 2000)]


def _clean(line: str) -> str:
    """Without log prefix and exception type."""
    bare = _LOG_PREFIX.sub("", line, count=1)
    match = _TYPE.match(bare)
    return excerpt(_PYDANTIC_TAIL.sub("", match.group(2) if match else bare), MAX_MESSAGE)


def _known(kind: str, line: str) -> Failure:
    needs, length, estimate, free = _NEEDS.search(line), _LEN.search(line), _ESTIMATE.search(line), _FREE.search(line)
    return Failure(
        kind,
        _clean(line),
        needed_kv_gib=float(needs.group(2)) if needs else None,
        available_kv_gib=float(needs.group(3)) if needs else None,
        estimated_max_model_len=int(estimate.group(1)) if estimate else None,
        max_model_len=int(length.group(1)) if length else None,
        total_gib=float(free.group(2)) if free else None,
        free_gib=float(free.group(1)) if free else None,
    )


def _phase(text: str, at: int) -> str:
    """Which step ran out of memory: the functions in the traceback say so, else the last milestone before it; ``oom``
    where neither is shown."""
    traceback = text[max(0, at - 12_000) : at]
    last = {kind: max(traceback.rfind(f"in {name}") for name in names) for kind, names in _STEPS.items()}
    kind, position = max(last.items(), key=lambda item: item[1])
    if position >= 0:
        return kind
    if any(f"in {name}" in traceback for name in _SERVING):
        return "oom_serving"
    before = text[:at]
    if "Capturing CUDA graph" in before or "KV cache size: " in before or "blocks: " in before:
        return "oom_graphs"
    if "Model loading took" in before or "Loading model weights took" in before:
        return "oom_profile"
    return "oom_load" if any(mark in before for mark in _LOADING) else "oom"


_LOADING = ("Starting to load model", "Loading weights", "Loading safetensors", "Using model weights format")
_SERVING = ("run_busy_loop", "_process_engine_step", "step_with_batch_queue", "run_engine_loop", "engine_step", "execute_model")
"""Functions of a step for requests (0.33.0 v1/engine/core.py, 0.7.0 engine/async_llm_engine.py). V0 profiles with
``execute_model`` too, so the steps of a start are looked for first."""
_STEPS = {
    "oom_load": ("load_model", "initialize_model", "process_weights_after_loading", "load_weights"),
    "oom_profile": ("profile_run", "determine_available_memory", "determine_num_available_blocks"),
    "oom_graphs": ("capture_model", "capture_graph", "_capture_cudagraphs", "compile_or_warm_up_model"),
    "oom_sampler": ("_dummy_sampler_run",),
}


def _exception(text: str) -> Failure | None:
    """The root exception: the last one that is no wrapper around another; a pydantic error with its detail lines."""
    lines = text.splitlines() if len(text) < 2_000_000 else text[-2_000_000:].splitlines()
    found: Failure | None = None
    for index, line in enumerate(lines):
        if "Error" not in line and "Exception" not in line:
            continue
        match = _TYPE.match(_LOG_PREFIX.sub("", line[:4000], count=1))
        if match is None or any(wrapper in line for wrapper in _WRAPPERS):
            continue
        name, message = match.groups()
        if name == "ValidationError":
            detail = [_LOG_PREFIX.sub("", x[:2000], count=1).strip() for x in lines[index + 1 : index + 4]]
            message = " ".join(d for d in detail if d and not d.startswith("For further information")).removeprefix(
                "Value error, "
            )
        kind = "config" if name in _CONFIG else None
        found = Failure(kind, excerpt(_PYDANTIC_TAIL.sub("", message) or name, MAX_MESSAGE))
    if found is None and (at := max(text.rfind(w) for w in _WRAPPERS[:2])) >= 0:
        return Failure(None, _clean(_line(text, at)))
    return found


_CONFIG = frozenset({"ValidationError", "ValueError", "NotImplementedError", "AssertionError", "TypeError", "KeyError"})
