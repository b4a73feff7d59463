"""Conversations as ShareGPT has them: the lengths of the first question and answer, as vLLM's benchmark takes them.

Source: 0.33.0 benchmarks/datasets/datasets.py ShareGPTDataset and is_valid_sequence: prompts and outputs of at least 4
tokens, prompts of at most 1,024, both together at most 2,048.
"""

from collections.abc import Iterable, Mapping
from statistics import fmean

from ...domain import Lengths, Workload
from .bad import BadWorkload, checked

__all__ = ["CHARACTERS_PER_TOKEN", "is_conversation", "read_conversations"]

CHARACTERS_PER_TOKEN = 4.0
"""Characters of English text in a token, about: there is no tokenizer here."""

_FEWEST, _LONGEST_PROMPT, _LONGEST = 4, 1024, 2048
_MOST = 50_000


def is_conversation(entry: object) -> bool:
    """Whether an object is a conversation."""
    return isinstance(entry, Mapping) and isinstance(entry.get("conversations", entry.get("conversation")), list)


def read_conversations(entries: Iterable[object]) -> Workload:
    """The lengths of the conversations; nothing in them says when they come, so they come at once.

    Raises:
        BadWorkload: none has a question and an answer of a length the benchmark takes.
    """
    inputs: list[int] = []
    outputs: list[int] = []
    dropped = 0
    for entry in entries:
        pair = _pair(entry)
        if pair is None or len(inputs) >= _MOST:
            dropped += 1
            continue
        inputs.append(pair[0])
        outputs.append(pair[1])
    if not inputs:
        raise BadWorkload("no conversation has a question and an answer of the lengths vLLM's benchmark takes")
    notes = [
        f"tokens are counted as characters / {CHARACTERS_PER_TOKEN:g}",
        "conversations do not say when they come: all are sent at once",
    ]
    if dropped:
        notes.append(
            f"{dropped:,} conversations are not among them: too short, too long for the benchmark, or too many"
        )
    return checked(
        {
            "arrivals": "at_once", "requests": len(inputs), "source": "ShareGPT",
            "input": Lengths(mean=fmean(inputs), shape="empirical", values=tuple(inputs)),
            "output": Lengths(mean=fmean(outputs), shape="empirical", values=tuple(outputs)),
        },
        notes,
    )  # fmt: skip


def _pair(entry: object) -> tuple[int, int] | None:
    if not isinstance(entry, Mapping):
        return None
    turns = entry.get("conversations", entry.get("conversation"))
    if not isinstance(turns, list) or len(turns) < 2:
        return None
    said = [turn.get("value", turn.get("content")) if isinstance(turn, Mapping) else None for turn in turns[:2]]
    if not all(isinstance(text, str) for text in said):
        return None
    prompt, output = (round(len(str(text)) / CHARACTERS_PER_TOKEN) for text in said)
    fits = min(prompt, output) >= _FEWEST and prompt <= _LONGEST_PROMPT and prompt + output <= _LONGEST
    return (prompt, output) if fits else None
