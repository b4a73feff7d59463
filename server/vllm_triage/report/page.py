"""The one page: a diagnosis through ``prompts/report.j2``. jinja2 is loaded on the first page, not before."""

import re
from functools import cache
from typing import TYPE_CHECKING

from ..data import prompts
from ..domain import Deployment, Diagnosis, FlagReading, Json
from .words import BOTTLENECK_NAMES, arithmetic_line, gpu_words, memory_words, no_advice_words, shown, verdict_words

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["environment", "page"]

SHOWN_SETTINGS = (
    "max_num_batched_tokens",
    "max_num_seqs",
    "max_model_len",
    "gpu_memory_utilization",
    "enable_chunked_prefill",
    "enable_prefix_caching",
    "kv_cache_dtype",
    "async_scheduling",
    "tensor_parallel_size",
)
MOST_FLAGS = 12


@cache
def environment() -> "Environment":
    """Sandboxed and strict: an unknown name is an error, and pasted text is only ever a variable."""
    from jinja2 import FileSystemLoader, StrictUndefined  # noqa: PLC0415 (loaded on the first page only)
    from jinja2.sandbox import SandboxedEnvironment  # noqa: PLC0415

    env = SandboxedEnvironment(
        loader=FileSystemLoader(prompts()),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=False,
        lstrip_blocks=False,
        keep_trailing_newline=True,
    )
    env.filters.update(cell=cell, shown=shown, sentence=sentence)
    return env


def cell(text: object) -> str:
    """Text that cannot break out of a table cell or a line."""
    return re.sub(r"[\x00-\x1f\x7f|`<>]+", " ", str(text)).strip()[:240]


def sentence(text: str) -> str:
    """`text` with a capital and a full stop."""
    text = text.strip().rstrip(".")
    if not text:
        return ""
    return (text if text.startswith(("vLLM", "vllm:")) else text[:1].upper() + text[1:]) + "."


def page(diagnosis: Diagnosis, summary: str) -> str:
    """The Markdown report of one diagnosis, one page."""
    deployment = diagnosis.deployment
    flags = scheduler_flags(deployment)
    template = environment().get_template("report.j2")
    text = template.render(
        d=diagnosis,
        summary=summary,
        names=BOTTLENECK_NAMES,
        gpu=gpu_words(deployment),
        flags=flags[:MOST_FLAGS],
        flags_left=len(deployment.flags) - len(flags[:MOST_FLAGS]),
        settings=settings_in_force(deployment),
        memory_line=memory_words(diagnosis.memory),
        verdict_line=verdict_words(diagnosis.verdict),
        arithmetic=arithmetic_line(diagnosis.roofline),
        no_advice=no_advice_words(diagnosis),
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def scheduler_flags(deployment: Deployment) -> list[FlagReading]:
    """The given flags that have a say in scheduling or memory, those that are wrong first."""
    told = [f for f in deployment.flags if f.controls or f.status != "ok"]
    return sorted(told, key=lambda f: (f.status == "ok", f.is_default))


def settings_in_force(deployment: Deployment) -> list[dict[str, Json]]:
    """The settings a reader needs to follow the arithmetic."""
    return [
        {"name": name, "value": s.value, "origin": s.origin}
        for name in SHOWN_SETTINGS
        if (s := deployment.settings.get(name)) is not None
    ]
