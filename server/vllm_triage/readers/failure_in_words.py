"""A failure as people tell it: "CUDA OOM at startup", "no KV cache left", "it refuses to start", "runtime OOM".

Only where the words say both what happened and when: at the start, or while requests were served. A log's own exception
(``readers.startup_failure``) outranks any retelling.
"""

import re

from ..domain import PoolReading
from .lazy import Lazy
from .reading import excerpt

__all__ = ["SOURCE", "failure_in_words"]

SOURCE = "statement"
MAX_CHARACTERS = 20_000

_SENTENCE = Lazy(r"[^.;!?\n]{1,400}")
_MEMORY = Lazy(r"\bOOM(?:s|ed|ing)?\b|\bout[- ]of[- ]memory\b|\bOutOfMemory\w*", re.IGNORECASE)
_NO_POOL = Lazy(
    r"\bno (?:KV[- ]cache|memory)[\w ]{0,12} (?:left|room|available|for (?:the )?KV)\b|\bno room for (?:the )?KV",
    re.IGNORECASE,
)
_START = Lazy(
    r"\b(?:at|on|during|in) (?:start[- ]?up|boot|launch|initiali[sz]ation|(?:model |weight )?load(?:ing)?|(?:CUDA[- ])?graph capture"
    r"|profil(?:e|ing))\b|\bwhile (?:loading|starting|capturing)\b|\bwarming up\b|\bwarm[- ]?up\b|\bgraph capture\b",
    re.IGNORECASE,
)
_SERVING = Lazy(
    r"\bruntime\b|\bunder (?:\w+ )?load\b|\b(?:at|on|during|in|while) (?:inference|serving|generat(?:ion|ing)|pre-?fill|decod(?:e|ing))\b"
    r"|\b(?:on|at|with|for) (?:a |an |the |its |any |some )?(?:first|long|longer|large|big|near[- ]full|full)\b[\w -]{0,40}"
    r"\b(?:prompts?|requests?|contexts?|images?|batch(?:es)?)\b|\bafter (?:[\w.]+ ){1,3}(?:hours?|minutes?|requests?|days?)\b",
    re.IGNORECASE,
)
_REFUSES = Lazy(
    r"\b(?:refuses|fails|failed|unable) to (?:start|boot|launch|come up)\b|\b(?:does(?: not|n'?t)|did(?: not|n'?t)|will not|won'?t"
    r"|can(?:not|'?t)) (?:start|boot|come up)\b",
    re.IGNORECASE,
)
_DENIED = Lazy(r"\b(?:no|not|never|without|fixed|instead of|if it|avoids?|prevents?) (?:\w+ ){0,2}$", re.IGNORECASE)
_STEPS = (
    ("oom_sampler", Lazy(r"sampler", re.IGNORECASE)),
    ("oom_graphs", Lazy(r"graph", re.IGNORECASE)),
    ("oom_profile", Lazy(r"profil", re.IGNORECASE)),
    ("oom_load", Lazy(r"load", re.IGNORECASE)),
)


def failure_in_words(text: str) -> PoolReading | None:
    """The failure a sentence tells of, with its own words; None when none does."""
    for sentence in _SENTENCE.finditer(text[:MAX_CHARACTERS]):
        said = sentence.group()
        kind = _kind(said)
        if kind is not None:
            return PoolReading(error=excerpt(said), error_kind=kind or None, source=SOURCE)
    return None


def _kind(said: str) -> str | None:
    """The kind of failure, empty for one without a known kind; None when the sentence tells of none."""
    start = _START.search(said)
    if (match := _NO_POOL.search(said)) is not None and (start or "start" in said.lower() or "room" in match.group()):
        return "no_kv_memory"
    if (match := _MEMORY.search(said)) is not None and start is not None and not _DENIED.search(said[: match.start()]):
        return next((kind for kind, words in _STEPS if words.search(said)), "oom_profile")
    if match is not None and _SERVING.search(said) and not _DENIED.search(said[: match.start()]):
        return "oom_serving"
    if (match := _REFUSES.search(said)) is not None and not _DENIED.search(said[: match.start()]):
        return ""
    return None
