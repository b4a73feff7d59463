"""The words people use for what they measure, and the numbers beside them.

A metric word is of a class (time, count, share, rate) that decides which units fit. A number without a fitting unit is
never guessed: "TTFT 350" may be milliseconds or tokens.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

__all__ = ["CLASS", "Word", "statistic_field", "words_of"]

Kind = Literal["metric", "number", "statistic", "goal", "unit"]

_LENGTH = "(?:len(?:gth)?s?|tokens?|seq(?:uence)? len(?:gth)?|size)"
_OF_TOKENS = r"(?=[ a-z~≈:]{0,16}\d[\d,.]{0,12}\s?[kK]?\s?tok(?:en)?s?\b(?!\s?/| per))"
"""Before a number of tokens, so that "450 prompts" stays a count of prompts."""

METRICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "gpu_util",
        (
            r"GPU[-_ ]?util(?:i[sz]ation)?",
            r"nvidia-smi util\w*",
            r"utilization\.gpu",
            "DCGM_FI_DEV_GPU_UTIL",
            r"SM util\w*",
        ),
    ),
    (
        "",
        (
            r"gpu[-_ ]memory[-_ ]util\w*",
            r"max[-_]num[-_]\w+",
            r"max[-_]model[-_]len",
            r"tensor[-_ ]parallel\w*",
            r"(?:model|context) len\w*",
        ),
    ),
    (
        "ttft",
        (
            "TTFT",
            "time[- ]to[- ]first[- ]token",
            "first[- ]token (?:latency|time)",
            r"首\s?个?\s?token\s?(?:延迟|时延|时间)?",
        ),
    ),
    ("itl", ("ITL", "inter[- ]token[- ]latency", "TBT", "time between tokens")),
    ("tpot", ("TPOT", "time[- ]per[- ]output[- ]token")),
    ("e2e", ("e2el?", "end[- ]to[- ]end(?: request)?(?: latency)?", "request latency", "total latency")),
    ("queue", ("queue(?:ing)? time", "queue wait(?:ing)?")),
    ("prefill", ("prefill time", "prefill latency")),
    ("total_tok_s", ("total(?: token)? throughput", "total tok(?:en)?s?/s(?:ec)?")),
    ("prompt_tok_s", ("(?:prompt|prefill|input)(?: token)? throughput",)),
    (
        "output_tok_s",
        (
            "(?:output|generation|decode|gen)(?: token)? throughput",
            "(?:output|generation|decode|generated|gen) tok(?:en)?s?(?:/| per )s(?:ec(?:ond)?)?",
        ),
    ),
    ("throughput", ("throughput", "吞吐量?")),
    (
        "request_rate",
        ("request(?:s)? rate", "arrival rate", "QPS", "RPS", "requests? per second", "request throughput"),
    ),
    ("preemption_rate", ("preemption rate", "preemptions? per second")),
    ("preemptions_total", ("preemptions?", "preempted")),
    (
        "concurrency",
        (
            "(?:max[_ -])?concurrenc(?:y|ies)",
            "concurrent(?: users| requests| clients| streams)?",
            "(?:parallel |simultaneous )?(?:users|clients)",
            "parallel requests",
            "in[- ]flight",
            "并发数?",
            "num[_ ]concurrent[_ ]requests",
        ),
    ),
    (
        "input_tokens",
        (
            "ISL",
            f"(?:mean |avg |average )?(?:input|prompt)[-_ ]{_LENGTH}",
            "input",
            "prompts? of",
            f"prompts?{_OF_TOKENS}",
            "输入(?:长度)?",
        ),
    ),
    (
        "output_tokens",
        (
            "OSL",
            f"(?:mean |avg |average )?(?:output|completion|generation|decode)[-_ ]{_LENGTH}",
            f"(?:outputs?|completions?|responses?|answers?){_OF_TOKENS}",
            "输出(?:长度)?",
        ),
    ),
    (
        "waiting",
        (
            "(?:num[_ ]requests[_ ])?waiting(?: requests| reqs| queue)?",
            "queue (?:depth|length)",
            "queued(?: requests)?",
            "pending(?: requests)?",
        ),
    ),
    ("running", ("(?:num[_ ]requests[_ ])?running(?: requests| reqs| batch)?",)),
    (
        "kv_usage",
        (
            r"(?:GPU |CPU )?KV[-_ ]?cache[-_ ](?:usage|util\w*)(?:_perc)?",
            r"KV (?:usage|util\w*|used|full)",
            "KV[-_ ]?cache",
            "KV",
            "cache usage",
        ),
    ),
    ("prefix_hit_rate", ("(?:prefix[-_ ]?cache |cache )?hit[-_ ]?rate",)),
    ("acceptance_rate", ("(?:draft )?acceptance rate",)),
    ("acceptance_length", ("(?:mean )?accept(?:ance|ed) length",)),
)
"""Field (or family of fields) and the words for it; the empty name takes configuration away from the others."""

CLASS = {
    "ttft": "time", "itl": "time", "tpot": "time", "e2e": "time", "queue": "time", "prefill": "time",
    "throughput": "tokens/s", "total_tok_s": "tokens/s", "prompt_tok_s": "tokens/s", "output_tok_s": "tokens/s",
    "request_rate": "requests/s", "preemption_rate": "requests/s",
    "preemptions_total": "count", "concurrency": "count", "waiting": "count", "running": "count",
    "input_tokens": "tokens", "output_tokens": "tokens", "acceptance_length": "tokens",
    "kv_usage": "share", "prefix_hit_rate": "share", "acceptance_rate": "share", "gpu_util": "share",
}  # fmt: skip

_PER_SECOND = r"\s?(?:/|per )\s?s(?:ec(?:ond)?)?"

_OF_ONE = r"(?:\s?/\s?|\sper\s)(?:users?|streams?|requests?|reqs?|clients?)"

_UNITS: tuple[tuple[str, str, float], ...] = (
    (r"ms|msecs?|milliseconds?|毫秒", "time", 1.0),
    (r"µs|us|microseconds?", "time", 1e-3),
    (r"minutes?|mins?", "time", 60_000.0),
    (rf"(?:output )?(?:tokens?|toks?){_PER_SECOND}{_OF_ONE}|tps{_OF_ONE}", "stream tokens/s", 1.0),
    (rf"(?:output |total |prompt |input |generated )?(?:tokens?|toks?){_PER_SECOND}|tps|t/s", "tokens/s", 1.0),
    (rf"(?:requests?|reqs?){_PER_SECOND}|rps|qps|/s", "requests/s", 1.0),
    (r"seconds?|secs?|s|秒", "time", 1000.0),
    (r"%|percent|pct", "share", 0.01),
    (r"tokens?|toks?", "tokens", 1.0),
    (r"reqs|requests?", "count", 1.0),
)  # fmt: skip
_OTHER_UNITS = r"[GMTK]i?B|[GMT]b|GPUs?|cores?|layers?|bits?|hours?|days?|x|°C|W"
_STATISTIC = r"p\s?\d{2}(?:\.\d)?|P\d{2}|mean|avg|average|median|平均|\d{2}th[- ]percentile"
_GOAL = (
    r"target\w*|SLOs?|SLAs?|goals?|under|below|less than|at most|no more than|want\w*|should be|must be|needs? to be"
    r"|<=|<|≤|目标"
)


@dataclass(frozen=True, slots=True)
class Word:
    """One token of a clause. `value` is in the class's own unit (ms for times, 0 to 1 for shares)."""

    kind: Kind
    name: str
    """Field for a metric, unit class for a number or unit ("" when it has none), statistic for a statistic."""
    start: int
    end: int
    value: float = 0.0
    text: str = ""


@cache
def _pattern() -> re.Pattern[str]:
    metrics = "|".join(
        f"(?P<m{i}>(?<![A-Za-z_])(?:{'|'.join(words)})(?![A-Za-z_]))" for i, (_, words) in enumerate(METRICS)
    )
    units = "|".join(f"(?P<u{i}>{unit})" for i, (unit, _, _) in enumerate(_UNITS))
    bare = "|".join(f"(?P<b{i}>{unit})" for i, (unit, _, _) in enumerate(_UNITS))
    number = (
        r"(?<![\w.\-/])(?P<number>\d[\d,]{0,15}(?:\.\d{1,9})?)(?:(?P<kilo>[kK])(?![A-Za-z]))?"
        rf"(?:\s?(?:(?:{units})(?![A-Za-z/])|(?P<other>(?:{_OTHER_UNITS})(?![A-Za-z]))))?(?![\w\-/]|\.\d)"
    )
    return re.compile(
        rf"(?P<statistic>(?<![A-Za-z0-9])(?:{_STATISTIC})(?![A-Za-z0-9]))|(?P<goal>(?<![A-Za-z])(?:{_GOAL})(?![A-Za-z]))"
        rf"|(?P<none>(?<![A-Za-z])(?:no|zero)(?=\s(?:requests? )?(?:waiting|queued|pending|preempt)))"
        rf"|{number}|{metrics}|(?P<config>(?<![A-Za-z_])[A-Za-z]\w*_\w+\s?[=:]\s?[\w.]+)|[(\[](?:{bare})[)\]]",
        re.IGNORECASE,
    )


def words_of(clause: str) -> list[Word]:
    """The tokens of a clause, left to right. A number with a unit that measures something else is left out."""
    out: list[Word] = []
    for match in _pattern().finditer(clause):
        groups = match.groupdict()
        start, end, text = match.start(), match.end(), match.group()
        if groups["statistic"]:
            out.append(Word("statistic", _statistic(text), start, end, text=text))
        elif groups["goal"]:
            out.append(Word("goal", "", start, end, text=text))
        elif groups["none"]:
            out.append(Word("number", "count", start, end, 0.0, text))
        elif groups["config"]:
            continue  # swap_space=0
        elif groups["number"]:
            if groups["other"]:
                continue
            value = float(groups["number"].replace(",", "")) * (1000 if groups["kilo"] else 1)
            name, scale = next(((c, s) for i, (_, c, s) in enumerate(_UNITS) if groups[f"u{i}"]), ("", 1.0))
            out.append(Word("number", name, start, end, value * scale, text))
        elif (metric := next((name for i, (name, _) in enumerate(METRICS) if groups[f"m{i}"]), None)) is not None:
            out.append(Word("metric", metric, start, end, text=text))
        else:
            name, scale = next((c, s) for i, (_, c, s) in enumerate(_UNITS) if groups[f"b{i}"])
            out.append(Word("unit", name, start, end, scale, text))
    return out


def _statistic(text: str) -> str:
    lowered = text.lower().replace(" ", "")
    if lowered in ("mean", "avg", "average", "平均"):
        return "mean"
    if lowered in ("median", "p50", "50th-percentile", "50thpercentile"):
        return "p50"
    if lowered.startswith("p"):
        return lowered
    return f"p{lowered[:2]}"


def statistic_field(metric: str, statistic: str | None) -> str | None:
    """The observation field of a metric and a statistic; None when there is none (a p75, a p99 of a count).

    A time without a statistic is taken for the mean: that is what people read off a dashboard or a result.
    """
    if CLASS.get(metric) != "time":
        return None if metric in ("", "gpu_util") else metric
    field = f"{metric}_ms_{statistic or 'mean'}"
    return field if field in _TIME_FIELDS else None


_TIME_FIELDS = frozenset(
    f"{metric}_ms_{statistic}"
    for metric, statistics in {
        "ttft": ("mean", "p50", "p90", "p95", "p99"),
        "itl": ("mean", "p50", "p90", "p95", "p99"),
        "tpot": ("mean", "p50", "p90", "p95", "p99"),
        "e2e": ("mean", "p50", "p90", "p95", "p99"),
        "queue": ("mean", "p99"),
        "prefill": ("mean",),
    }.items()
    for statistic in statistics
)
