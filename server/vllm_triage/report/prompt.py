"""The prompt ``scheduler_diagnosis``: what an assistant is told to do, filled with what the user already gave."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .arguments import BadArguments, nearest

__all__ = ["PROMPT", "PROMPT_ARGUMENTS", "scheduler_diagnosis"]


@dataclass(frozen=True, slots=True)
class _Prompt:
    name: str
    title: str
    description: str


PROMPT = _Prompt(
    "scheduler_diagnosis", "Diagnose a vLLM server",
    "Why is my TTFT high? Reads the launch and the measurements, names the bottleneck and what to turn; "
    "asks for what is missing.",
)

PROMPT_ARGUMENTS = {
    "command": "The vLLM launch as pasted (vllm serve ..., docker run, manifest), or a model id.",
    "vllm_version": "Version of vLLM, such as 0.18.0.",
    "gpu": 'Accelerator, with a count: "H100", "8x H200".',
    "metrics": "What was measured: TTFT, ITL or TPOT, throughput, concurrency; or /metrics, a benchmark result.",
    "log": "Startup log.",
    "question": "What the user wants to know.",
}
"""Every argument is optional: the prompt asks for what is missing."""

_LONGEST = 100_000


def scheduler_diagnosis(given: Mapping[str, Any]) -> str:
    """The prompt's text. What the user gave is shown as data in a fence it cannot close, secrets blanked.

    Raises:
        BadArguments: for an argument the prompt does not have, or one that is not text.
    """
    from ..readers.secrets import redact  # noqa: PLC0415 (the server lists its prompt without all this)
    from .page import environment  # noqa: PLC0415

    for name, text in given.items():
        if name not in PROMPT_ARGUMENTS:
            near = nearest(name, list(PROMPT_ARGUMENTS))
            hint = f"did you mean {near}?" if near else f"accepted: {', '.join(PROMPT_ARGUMENTS)}."
            raise BadArguments(f"Unknown prompt argument {name[:64]!a}: {hint}")
        if not isinstance(text, str):
            raise BadArguments(f"{name}: expected text.")
        if len(text) > _LONGEST:
            raise BadArguments(f"{name}: longer than {_LONGEST:,} characters; paste only the part that matters.")
    cleaned = {name: redact(given.get(name, "").strip())[0] for name in PROMPT_ARGUMENTS}
    text = environment().get_template("scheduler_diagnosis.j2").render(cleaned, fence=_fence(cleaned.values()))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _fence(texts: Iterable[str]) -> str:
    """A run of backticks longer than any in `texts`: what is quoted cannot end the quotation."""
    longest = run = 0
    for character in "\n".join(texts):
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return "`" * max(3, longest + 1)
