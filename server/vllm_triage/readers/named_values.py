"""Measurements by name: ``ttft_p50_s``, ``output_tok_s``, ``kv_usage``, in a JSON object or as ``name: value``.

The name says all: which metric, which statistic, which unit. A latency whose name carries no unit is never guessed.
Only the outermost object is read, and one under a name such as ``metrics``: an object inside it is another run.
"""

from functools import cache

from ..domain import Json, PoolReading
from .prose_table import column_of
from .reading import Partial, excerpt, number

__all__ = ["SOURCE", "field_of", "read_named"]

HOLDERS = ("metrics", "measurements", "results", "result", "summary", "observed", "stats")
"""Names of an object that hold the measurements of the object around it."""
FEWEST = 2
"""Names that must be known before an object of somebody else's is taken for measurements."""
MAX_NAMES = 400
MAX_SIZE = 1e15
SOURCE = "named value"

PLAIN = {
    "req_s": "request_rate", "rps": "request_rate", "qps": "request_rate", "requests_per_second": "request_rate",
    "tok_s": "output_tok_s", "tokens_per_second": "output_tok_s", "tps": "output_tok_s",
    "gen_tok_s": "output_tok_s", "out_tok_s": "output_tok_s", "generation_tok_s": "output_tok_s",
    "output_tokens_per_second": "output_tok_s", "output_throughput": "output_tok_s", "prefill_tok_s": "prompt_tok_s",
    "input_tok_s": "prompt_tok_s", "prompt_tokens": "input_tokens", "input_len": "input_tokens",
    "output_len": "output_tokens", "completion_tokens": "output_tokens", "prefix_hit": "prefix_hit_rate",
    "num_requests_running": "running", "num_requests_waiting": "waiting", "pending": "waiting",
    "kv_cache_usage": "kv_usage", "kv_cache_usage_perc": "kv_usage", "gpu_cache_usage_perc": "kv_usage",
    "preemptions": "preemptions_total",
}  # fmt: skip
SHARES = ("kv_usage", "kv_usage_max", "prefix_hit_rate", "acceptance_rate")


@cache
def field_of(name: str) -> tuple[str, float] | None:
    """The observation field a name means and the factor to its unit; None when the name does not say."""
    from .evidence_fields import MEASURED  # noqa: PLC0415

    bare = name.strip().lower().replace("-", "_").replace(".", "_").replace(" ", "_")[:60]
    if bare in MEASURED:
        return bare, 1.0
    if bare in PLAIN:
        return PLAIN[bare], 1.0
    column = column_of(bare.replace("_per_sec", "_s"))
    if column is None or column[1] == 0.0 or "_" not in bare:
        return None
    return column[0], column[1]


def read_named(document: Json) -> Partial | None:
    """Read an object of named numbers; None when too few of its names are known."""
    if not isinstance(document, dict):
        return None
    part = Partial(what="")
    unread: list[str] = []
    for level in (document, *(inner for key in HOLDERS if isinstance(inner := document.get(key), dict))):
        for name, value in list(level.items())[:MAX_NAMES]:
            _take(name, value, part, unread)
        part.pool = part.pool or _pool(level)
    if len(part.readings) < FEWEST and part.pool is None:
        return None
    part.what = f"object with {len(part.readings)} named value(s)"
    part.unread += unread
    return part


POOL = {
    "gpu_kv_cache_tokens": "tokens", "kv_cache_tokens": "tokens", "kv_tokens": "tokens", "kv_cache_size_tokens": "tokens",
    "num_gpu_blocks": "blocks", "available_kv_gib": "available_kv_gib", "needed_kv_gib": "needed_kv_gib",
    "weights_gib": "weights_gib", "model_weights_gib": "weights_gib", "total_gib": "total_gib",
    "estimated_max_model_len": "estimated_max_model_len",
}  # fmt: skip
"""Names of pool figures and the fields they are."""
WHOLE = ("tokens", "blocks", "estimated_max_model_len")


def _pool(level: dict[str, Json]) -> PoolReading | None:
    """The KV pool, when its size or the memory for it is among the names; memory that is not enough is a failed start."""
    found: dict[str, float] = {}
    for name, value in list(level.items())[:MAX_NAMES]:
        field = POOL.get(name.lower()) if isinstance(name, str) else None
        if field is not None and isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MAX_SIZE:
            found[field] = value
    if not found.keys() & {"tokens", "blocks", "available_kv_gib"}:
        return None
    there, needed = found.get("available_kv_gib"), found.get("needed_kv_gib")
    kind = None
    if there is not None and there <= 0:
        kind = "no_kv_memory"
    elif there is not None and needed is not None and needed > there:
        kind = "max_len_exceeds_kv"
    if any(found[field] <= 0 for field in found if field != "available_kv_gib"):
        return None
    sizes = {field: int(value) if field in WHOLE else value for field, value in found.items()}
    return PoolReading.model_validate({**sizes, "error_kind": kind, "source": SOURCE})


def _take(name: str, value: Json, part: Partial, unread: list[str]) -> None:
    found = field_of(name) if isinstance(name, str) else None
    if found is None:
        return
    field, scale = found
    known = number(value)
    if known is None:
        if value is not None:
            unread.append(excerpt(f"{name} = {value!r}: not one number"))
    elif part.get(field) is None:
        share = field in SHARES and known > 1
        part.add(field, known, f"named value: {name}" + (" read as percent" if share else ""), "statement", 0.01 if share else scale)
