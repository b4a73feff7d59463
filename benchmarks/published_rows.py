#!/usr/bin/env python3
"""Classify published vLLM benchmark results: labels, how near the floors they lie, and what contradicts.

    python benchmarks/published_rows.py [--rows] [--all]

Reads ``data/bench.jsonl`` below VLLM_TRIAGE_SHARED (default ``../shared`` beside the checkout); without it there is
nothing to measure and the script says so. ``--rows`` prints each row, ``--all`` takes the rows with mean TTFT and TPOT
only as well. Nothing below a physical floor may pass without a conflict being reported: that is checked, and fails the
run.
"""

import argparse
import json
import os
import re
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "server"))

from vllm_triage.domain import Verdict  # noqa: E402
from vllm_triage.report.reading import Reading, read  # noqa: E402
from vllm_triage.verdicts.bottleneck import classify  # noqa: E402

METRICS = {
    "ttft_mean": "ttft_ms_mean", "ttft_p50": "ttft_ms_p50", "ttft_p99": "ttft_ms_p99", "tpot_mean": "tpot_ms_mean",
    "itl_mean": "itl_ms_mean", "itl_p50": "itl_ms_p50", "itl_p99": "itl_ms_p99", "out_tok_s": "output_tok_s",
    "total_tok_s": "total_tok_s", "req_s": "request_rate", "concurrency": "concurrency", "isl": "input_tokens",
    "osl": "output_tokens",
}  # fmt: skip
DEVICES = {"h100_sxm": "H100 SXM", "h200_sxm": "H200", "b200_sxm": "B200", "b300_sxm": "B300"}


def data() -> Path:
    """Where the published rows lie."""
    return Path(os.environ.get("VLLM_TRIAGE_SHARED", ROOT.parent / "shared")) / "data" / "bench.jsonl"


def rows(everything: bool) -> Iterator[dict[str, Any]]:
    """The vLLM rows: complete ones, and those with means only when asked."""
    with data().open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("engine") == "vllm" and (row["kind"] == "full" or (everything and row["kind"] == "ttft_tpot")):
                yield row


def device(row: dict[str, Any]) -> str | None:
    """The GPU with its count, in words the product reads; None where it is no GPU of the catalogue."""
    text = str(row["gpu"])
    if text in DEVICES:
        return f"{max(1, row['tp'] * row.get('pp', 1) * max(1, row.get('attention_dp') or 1))}x {DEVICES[text]}"
    if "Ascend" in text:
        return None
    found = re.match(r"(?:(\d+) × |A single )?(NVIDIA [A-Z]\d+(?: \d+GB HBM3| SXM 80GB| SXM)?)", text)
    return None if found is None else f"{found[1] or 1}x {found[2]}"


def command(row: dict[str, Any]) -> str:
    """The launch as published, or the one a row of means implies."""
    if row.get("serve_cmd"):
        return re.sub(r"=(\{[^ ]*\})", r"='\1'", str(row["serve_cmd"]))
    words = ["vllm serve", str(row["model"])]
    if row["precision"] == "fp8" and "FP8" not in row["model"] and "MiniMax" not in row["model"]:
        words.append("--quantization fp8")
    if row["tp"] > 1:
        words.append(f"-tp {row['tp']}")
    if row.get("pp", 1) > 1:
        words.append(f"-pp {row['pp']}")
    return " ".join(words)


def given(row: dict[str, Any]) -> dict[str, float]:
    """The row in the contract's metric names; what a closed loop leaves out, Little's law gives."""
    seen = {ours: float(row[theirs]) for theirs, ours in METRICS.items() if row.get(theirs)}
    if str(row.get("concurrency_kind")).startswith("max") or "concurrency" not in row:
        # a peak over the run, or nothing, is no offered concurrency: take the mean that Little's law gives
        stay = row["ttft_mean"] + row["osl"] * row["tpot_mean"]
        seen["concurrency"] = row["req_s"] * stay / 1000
    if "output_tok_s" not in seen:
        stay = row["ttft_mean"] + row["osl"] * row["tpot_mean"]
        seen["output_tok_s"] = 1000 * row["concurrency"] * row["osl"] / stay
    return seen


def judge(row: dict[str, Any]) -> tuple[Reading, Verdict]:
    """One row, read and classified."""
    reading = read(command(row), row.get("engine_version"), device(row), None, (), given(row))
    return reading, classify(reading.deployment, reading.observation, reading.memory, reading.roofline)


def main() -> int:
    """Print the distribution; 1 when a figure below a floor went by without a conflict."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", action="store_true")
    options.add_argument("--all", action="store_true")
    asked = options.parse_args()
    if not data().exists():
        print(f"nothing to measure: {data()} is not there")
        return 0
    labels: Counter[str] = Counter()
    ratios, silent, skipped, began, conflicts = [], 0, 0, perf_counter(), 0
    for row in rows(asked.all):
        if device(row) is None:
            skipped += 1
            continue
        try:
            _, verdict = judge(row)
        except ValueError as problem:
            labels[f"not read: {type(problem).__name__}"] += 1
            continue
        told = verdict.derived
        label = " ".join(filter(None, (verdict.status, verdict.bottleneck, verdict.sub_bound, verdict.outside)))
        labels[label] += 1
        ratio, clashes = told["tpot_over_floor"], told["conflicts"]
        conflicts += bool(clashes)
        if isinstance(ratio, float):
            ratios.append(ratio)
            silent += ratio < 0.98 and not clashes
        if asked.rows:
            print(
                f"{label:55} {verdict.confidence:.2f} R {told['R']} S_kv {told['S_kv']} S_seq {told['S_seq']} "
                f"C {row.get('concurrency')} floor x{ratio} mfu {told['mfu']} ttft {row['ttft_mean']:.0f} "
                f"{row['isl']:.0f}/{row['osl']:.0f} {command(row)[:70]} | {row['gpu'][:24]} {clashes or ''}"
            )
    total = sum(labels.values())
    for label, number in labels.most_common():
        print(f"{number:5} {number / total:6.1%}  {label}")
    print(
        f"{total} rows in {perf_counter() - began:.1f} s; {skipped} on devices without a catalogue entry; "
        f"{conflicts} with conflicts"
    )
    if ratios:
        cuts = statistics.quantiles(ratios, n=10)
        print(
            f"TPOT over floor: 10% {cuts[0]:.2f}, median {statistics.median(ratios):.2f}, 90% {cuts[8]:.2f}; below "
            "the floor "
            f"{sum(r < 0.98 for r in ratios)}, of which unreported {silent}"
        )
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
