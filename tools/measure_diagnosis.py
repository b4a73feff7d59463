#!/usr/bin/env python3
"""Hold the classifier against the labelled public cases: right, wrong, ambiguous, refused, and how sure it was.

    python tools/measure_diagnosis.py [--cases] [FILE]

Reads ``corpus/diagnosis.jsonl`` below VLLM_TRIAGE_SHARED (default ``../shared`` beside the checkout). Each record
becomes what a person would paste: the launch its flags make, a log line of the gauges it tells, its symptom as text,
and the numbers that are contract metrics. Most records lack some of the four core metrics; those are refused, and
counted apart.
A record labelled ``unknown`` or ``other`` has no class to be right about; naming one at 0.8 or more is counted wrong.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "server"))
sys.path.insert(0, str(ROOT / "tools"))

from diagnosis_cases import asked_cases  # noqa: E402
from vllm_triage.domain import Verdict  # noqa: E402
from vllm_triage.report.reading import read  # noqa: E402
from vllm_triage.verdicts.bottleneck import classify  # noqa: E402

ACCEPTED: dict[str, frozenset[str]] = {
    "kv_block_starvation": frozenset({"kv_starvation"}),
    "hbm_bound_cannot_fit": frozenset({"hbm_bound", "startup_failure"}),
    "waiting_queue_growth": frozenset({"queue_stall", "prefill_compute_bound"}),
    "chunked_prefill_missized": frozenset({"chunked_prefill_missized"}),
    "decode_compute_bound_or_itl_floor": frozenset({"decode_bound", "interconnect"}),
    "not_vllm": frozenset({"client_or_upstream", "host_overhead"}),
    "compat/config error": frozenset({"startup_failure"}),
}
"""Label to the answers that are right."""

GIVEN = {
    "ttft_ms": ("ttft_ms_mean", 1.0),
    "ttft_p50_s": ("ttft_ms_mean", 1000.0),
    "ttft_s": ("ttft_ms_mean", 1000.0),
    "ttft_p99_s": ("ttft_ms_p99", 1000.0),
    "itl_p99_ms": ("itl_ms_p99", 1.0),
    "itl_ms_per_step": ("itl_ms_mean", 1.0),
    "itl_ms": ("itl_ms_mean", 1.0),
    "tpot_ms": ("tpot_ms_mean", 1.0),
    "output_tok_s": ("output_tok_s", 1.0),
    "gen_tok_s": ("output_tok_s", 1.0),
    "concurrency": ("concurrency", 1.0),
    "max_concurrency_offered": ("concurrency", 1.0),
    "req_s": ("request_rate", 1.0),
    "rps": ("request_rate", 1.0),
    "input": ("input_tokens", 1.0),
    "output": ("output_tokens", 1.0),
    "prompt_tokens": ("input_tokens", 1.0),
}


def number(value: object) -> float | None:
    """A number, the last of a list, or the last number in a text such as ``10->34``."""
    if isinstance(value, list) and value:
        return number(value[-1])
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    found = re.findall(r"\d+(?:\.\d+)?", value) if isinstance(value, str) else []
    return float(found[-1]) if found else None


def launch(case: dict[str, Any]) -> str | None:
    """The launch: as quoted, or made of the flags told."""
    if case.get("command"):
        text = str(case["command"])
        return text if text.startswith(("vllm", "python")) else f"python -m vllm.entrypoints.openai.api_server {text}"
    words = [f"vllm serve {case['model']}"] if "/" in case["model"] and " " not in case["model"] else []
    if not words:
        return None
    for name, value in case["flags"].items():
        if isinstance(value, bool):
            words.append(f"--{'' if value else 'no-'}{name.replace('_', '-')}")
        elif isinstance(value, int | float):
            words.append(f"--{name.replace('_', '-')} {value}")
    return " ".join(words)


def pasted(case: dict[str, Any]) -> list[str]:
    """Texts a reporter would paste: the symptom, and the engine's log line when gauges are told."""
    told = case["metrics"]
    texts = [case["symptom"]]
    pool = number(told.get("gpu_kv_cache_tokens", told.get("kv_tokens")))
    if pool is not None and told.get("max_concurrency") is None:
        texts.append(f"INFO 01-01 00:00:00 [kv_cache_utils.py:1] GPU KV cache size: {pool:,.0f} tokens")
    if (preemptions := number(told.get("preemptions"))) is not None:
        texts.append(f"# TYPE vllm:num_preemptions_total counter\nvllm:num_preemptions_total {preemptions}")
    running, waiting = number(told.get("running")), number(told.get("waiting", told.get("pending")))
    usage = number(told.get("kv_usage"))
    if running is not None and usage is not None:
        texts.append(
            "INFO 01-01 00:00:00 [loggers.py:123] Engine 000: Avg prompt throughput: "
            f"{number(told.get('prompt_tok_s')) or 0:.1f} tokens/s, Avg generation throughput: "
            f"{number(told.get('gen_tok_s')) or 0:.1f} "
            f"tokens/s, Running: {running:.0f} reqs, Waiting: {waiting or 0:.0f} reqs, GPU KV cache usage: "
            f"{100 * usage:.1f}%, "
            "Prefix cache hit rate: 0.0%"
        )
    return texts


def given(case: dict[str, Any]) -> dict[str, float]:
    """The metrics of the contract among those told."""
    found: dict[str, float] = {}
    flat = {**case["metrics"], **{k: v for k, v in case["flags"].items() if k in ("input_len", "output_len")}}
    flat["input"] = flat.get("input", flat.get("input_len"))
    flat["output"] = flat.get("output", flat.get("output_len"))
    for name, (ours, scale) in GIVEN.items():
        value = number(flat.get(name))
        if value is not None and value > 0:
            found.setdefault(ours, value * scale)
    return found


def device(case: dict[str, Any]) -> str | None:
    """The hardware as told, when the product knows it."""
    from vllm_triage.facts.gpus import parse_gpu

    found, _ = parse_gpu(case["hardware"])
    return None if found is None else case["hardware"]


def version(case: dict[str, Any]) -> str | None:
    """The release, when one is told."""
    found = re.search(r"\d+\.\d+(?:\.\d+)?", case["vllm_version"])
    return found[0] if found else None


def fed(case: dict[str, Any], way: str) -> tuple[list[str], dict[str, float]]:
    """Texts and arguments: ``pasted`` log lines and arguments, ``arguments`` alone, the metrics as an ``object`` beside
    the symptom, or the whole ``record`` but its labels as one text.
    """
    if way == "arguments":
        return [case["symptom"]], given(case)
    if way == "object":
        return [json.dumps(case["metrics"]), case["symptom"]], {}
    if way == "record":
        kept = {k: v for k, v in case.items() if k not in ("class", "confirmed_cause", "fix", "note", "checked", "source")}
        return [json.dumps(kept)], {}
    return pasted(case), given(case)


def judge(case: dict[str, Any], way: str = "pasted") -> Verdict:
    """One record, read and classified."""
    texts, metrics = fed(case, way)
    reading = read(launch(case), version(case), device(case), None, texts, metrics)
    return classify(reading.deployment, reading.observation, reading.memory, reading.roofline)


def mark(label: str, verdict: Verdict) -> str:
    """right, wrong, ambiguous, refused, or unlabelled."""
    if verdict.status == "refused":
        return "refused"
    named = {name for name in (verdict.bottleneck, verdict.outside) if name}
    if label not in ACCEPTED:
        return "wrong" if named and verdict.confidence >= 0.8 else "unlabelled"
    if verdict.status == "ambiguous":
        return "ambiguous"
    return "right" if named & ACCEPTED[label] else "wrong"


WAYS = ("pasted", "arguments", "object", "record")


def score(cases: list[dict[str, Any]], way: str, show: bool) -> int:
    """Print the score of one way to feed the records; how many are wrong at 0.8 or more."""
    marks: Counter[str] = Counter()
    missing: Counter[int] = Counter()
    sure = 0
    for case in cases:
        try:
            verdict = judge(case, way)
        except ValueError as problem:
            marks["not read"] += 1
            print(f"not read: {case['source']}: {problem}"[:200])
            continue
        got = mark(case["class"], verdict)
        marks[got] += 1
        missing[len(verdict.missing)] += got == "refused"
        sure += got == "wrong" and verdict.confidence >= 0.8
        if (show and got != "refused") or got == "wrong":
            answer = verdict.bottleneck or verdict.outside or verdict.status
            print(f"{got:10} {case['class']:32} {answer:26} {verdict.confidence:.2f} {case['source'][-60:]}")
    classified = marks["right"] + marks["wrong"]
    answered = classified + marks["ambiguous"]
    print(f"{way}: {dict(marks)}; refused for lack of 1, 2, 3, 4 metrics: {[missing[n] for n in (1, 2, 3, 4)]}")
    if answered:
        print(
            f"  right where it classifies {marks['right']}/{classified}, ambiguous {marks['ambiguous']}/{answered}, "
            f"wrong at 0.8 or more {sure}"
        )
    return sure


def main() -> int:
    """Print the score; 1 when a case is wrong at a confidence of 0.8 or more."""
    cases, show = asked_cases(__doc__)
    sure = sum(score(cases, way, show) for way in WAYS)
    return 1 if sure else 0


if __name__ == "__main__":
    sys.exit(main())
