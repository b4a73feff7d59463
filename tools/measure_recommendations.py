#!/usr/bin/env python3
"""Hold the recommendations against the fixes that public cases confirmed: is the fix among the first three?

    python tools/measure_recommendations.py [--cases] [FILE]

Reads ``corpus/diagnosis.jsonl`` as ``tools/measure_diagnosis.py`` does. A case counts where it classifies and its fix is
something a launch can express (a flag, an environment variable, the client, the lengths, more GPUs); a patch that was
merged upstream is nothing to recommend. The fix and an action are the same kind when they turn the same knob the same way.

Most cases lack a core metric and are refused. They are counted once more apart, with the class they are labelled with taken
for the verdict: what would have been recommended, had they been measured.
"""

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "server"))
sys.path.insert(0, str(ROOT / "tools"))

from diagnosis_cases import asked_cases  # noqa: E402
from measure_diagnosis import device, given, launch, pasted, version  # noqa: E402
from vllm_triage.domain import Recommendation, Verdict  # noqa: E402
from vllm_triage.facts.flags import table  # noqa: E402
from vllm_triage.facts.versions import NEWEST  # noqa: E402
from vllm_triage.report.reading import Reading, read  # noqa: E402
from vllm_triage.verdicts.advice import Situation, recommend  # noqa: E402
from vllm_triage.verdicts.bottleneck import classify  # noqa: E402
from vllm_triage.verdicts.compat import check  # noqa: E402

FIRST = 3

KINDS: dict[str, tuple[str, str]] = {
    "budget-": (r"smaller chunk|halve max_num_batched|max.num.batched.tokens 2048", r"lower --max-num-batched-tokens"),
    "cap": (r"long.prefill|partial.prefill", r"long-prefill"),
    "client": (r"aiohttp|connector limit|benchmark_serving|connection pool|server to another|own process", r"client"),
    "eager-": (r"(drop|omit|without) --?enforce.eager", r"take --enforce-eager out"),
    "eager+": (r"enforce.eager on|or enforce_eager|--enforce-eager on", r"--enforce-eager|CUDA graphs"),
    "free": (r"free the gpu", r"stop what else holds"),
    "gpus": (r"TP ?= ?2|replica|add nodes|data-parallel-size|two cards|\bDCP\b", r"parallel-size|replica"),
    "lengths": (r"fewer long sequences|max_model_len", r"output length|--max-model-len"),
    "pool": (r"more KV|enlarge pool|kv_cache_memory|memory.utilization 0\.05 ->", r"utilization|kv-cache-dtype|memory-bytes|blocks"),
    "seats+": (r"raise max_num_seqs|max_num_seqs 32\b", r"raise --max-num-seqs"),
    "seats-": (r"(lower|reduce|lowering) max.num.seqs|max.num.seqs (256|2\b|1\b|64)|lower concurrency", r"lower --max-num-seqs"),
    "speculation-": (r"drop speculation|disable_by_batch", r"take --speculative"),
    "utilization-": (
        r"utili[sz]ation 0\.\d+ -> 0\.\d|utili[sz]ation 0\.9\d?\b|lower utili|derate",
        r"(lower|or) --gpu-memory-utilization",
    ),
    "watermark": (r"watermark", r"watermark"),
}  # fmt: skip
"""Kind of fix: how reports word it, how an action does."""

CLASSES: dict[str, dict[str, str]] = {
    "kv_block_starvation": {"bottleneck": "kv_starvation"},
    "waiting_queue_growth": {"bottleneck": "queue_stall"},
    "chunked_prefill_missized": {"bottleneck": "chunked_prefill_missized", "sub_bound": "budget_too_large"},
    "decode_compute_bound_or_itl_floor": {"bottleneck": "decode_bound"},
    "hbm_bound_cannot_fit": {"bottleneck": "hbm_bound"},
    "not_vllm": {"outside": "client_or_upstream"},
}


def told(case: dict[str, Any]) -> dict[str, Any]:
    """The record with its flags as that release spells them; notes a reporter put among them are left out."""
    options = table(version(case) or NEWEST).by_dest
    flags = {f"enable_{name}" if f"enable_{name}" in options else name: value for name, value in case["flags"].items()}
    lengths = {what: case["flags"][f"{what}_len"] for what in ("input", "output") if f"{what}_len" in case["flags"]}
    return {
        **case, "metrics": {**lengths, **case["metrics"]},
        "flags": {name: value for name, value in flags.items() if name in options},
    }  # fmt: skip


def fixes(case: dict[str, Any]) -> set[str]:
    """The kinds of what was confirmed to help."""
    return {kind for kind, (fix, _) in KINDS.items() if re.search(fix, case["fix"], re.IGNORECASE)}


def kinds(actions: tuple[Recommendation, ...]) -> set[str]:
    """The kinds of the first actions."""
    first = [f"{a.action} {a.flag or ''}" for a in actions[:FIRST]]
    return {kind for kind, (_, action) in KINDS.items() if any(re.search(action, text) for text in first)}


def advised(reading: Reading, verdict: Verdict) -> tuple[Recommendation, ...]:
    """What is recommended for a reading with this verdict."""
    assert reading.deployment is not None
    situation = Situation(reading.deployment, reading.observation, reading.memory, reading.roofline, verdict)
    return recommend(situation, check(reading.deployment)).recommendations


def main() -> int:
    """Print both shares."""
    cases, show = asked_cases(__doc__)
    score: Counter[tuple[str, bool]] = Counter()
    for case in map(told, cases):
        wanted = fixes(case)
        if not wanted:
            continue
        command = launch(case) or launch({**case, "model": "some/model"}) or ""
        reading = read(command, version(case), device(case), None, pasted(case), given(case))
        if reading.deployment is None:
            continue
        verdict = classify(reading.deployment, reading.observation, reading.memory, reading.roofline)
        group = "classified"
        if verdict.status != "classified":
            label = CLASSES.get(case["class"])
            if label is None:
                continue
            group, verdict = "by label", Verdict(status="classified", confidence=0.5, **label)  # type: ignore[arg-type]
        actions = advised(reading, verdict)
        hit = bool(wanted & kinds(actions))
        score[group, hit] += 1
        if show or not hit:
            print(f"{group:10} {'hit ' if hit else 'MISS'} {case['class']:26} {sorted(wanted)} {case['source'][-50:]}")
            for action in actions[:FIRST]:
                print(f"{'':16}{action.action[:110]}")
    for group in ("classified", "by label"):
        hits, misses = score[group, True], score[group, False]
        if hits + misses:
            print(f"{group}: the confirmed fix is among the first {FIRST} in {hits}/{hits + misses}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
