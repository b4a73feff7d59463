#!/usr/bin/env python3
"""Is the classifier as sure as it may be? Accuracy by confidence, on cases it was not tuned on.

    python benchmarks/calibration.py [--cases N] [--seed N] [--misses]

Two kinds of case. *Perturbed*: the gold cases, the captured servers and the made-up ones, each many times with every
figure off by up to ten percent, with what is optional left out at random, and with the launch known less well.
*Simulated*: servers of random shape and efficiency run through a small scheduler written for this file, whose cause is
found by intervention: the same server with four times the seats, the pool, or faster arithmetic; what cures it is what
bound it. The pool the product predicts is wrong by up to a fifth there, as it may be in life.

Fails when an answer at 0.8 or more is wrong on a disturbed case at all, or on more than one simulated server in twenty.
"""

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "benchmarks")]

from simulated_servers import simulated  # noqa: E402
from vllm_triage.domain import Measured, Observation, Verdict  # noqa: E402
from vllm_triage.engine.memory import estimate  # noqa: E402
from vllm_triage.engine.roofline import roofline  # noqa: E402
from vllm_triage.readers.evidence import MEASURED, read_evidence  # noqa: E402
from vllm_triage.report.reading import deploy_with_evidence  # noqa: E402
from vllm_triage.verdicts.bottleneck import classify  # noqa: E402

DATA = ROOT / "tests" / "data"
BUCKETS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
CORE = frozenset({"ttft_ms_mean", "itl_ms_mean", "tpot_ms_mean", "output_tok_s", "concurrency"})
SHORT = ("seqs4", "v018-seqs4", "tinykv-preempt", "blocks-override", "mid-kvfull", "v018-blocks-preempt")
CALM = ("default", "mamba-hybrid", "mla", "spec-draft", "swa-hybrid", "prefix-repeat")
SURE = 0.8


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled situation: what was pasted, and the answers that are right."""

    name: str
    command: str | None
    gpu: str | None
    version: str | None
    seen: Observation
    right: frozenset[str]


def gold() -> Iterator[Case]:
    """The published cases whose cause is unambiguous, those that name all four core metrics."""
    for path in sorted((DATA / "gold").glob("G*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        for load in case["loads"]:
            told = load.get("expect", case["expect"])
            if told.get("status") == "refused":
                continue
            right = {told.get("bottleneck") or told.get("outside") or "healthy"}
            if told.get("knee"):
                right = {"kv_starvation", "decode_bound", "healthy"}
            if "healthy" in right:
                right.add("decode_bound")  # a stream slowed by a tenth may cross what users notice
            if case["id"] == "G3":
                right.add("kv_starvation")  # 0.9 seats, noise on lengths makes them more than one
            seen = read_evidence([], load["metrics"])
            name = f"{case['id']}-{load['metrics'].get('concurrency')}"
            yield Case(name, case["command"], case["gpu"], case["vllm_version"], seen, frozenset(right))


def captures() -> Iterator[Case]:
    """Real servers on a CPU, and the made-up ones on an H100."""
    for name in (*SHORT, *CALM):
        run = DATA / "runs" / name
        files = (run / "startup.log", run / "metrics_during.txt", run / "bench.json")
        texts = [f.read_text(encoding="utf-8") for f in files if f.exists()]
        label = "healthy" if name in CALM else "queue_stall" if "seqs4" in name else "kv_starvation"
        command = (run / "command.txt").read_text(encoding="utf-8")
        yield Case(name, command, "CPU", None, read_evidence(texts), frozenset({label}))
    for name, label in (("kv", "kv_starvation"), ("seqs", "queue_stall"), ("healthy", "healthy")):
        texts = [(DATA / "servers" / f"{name}_{n}.prom").read_text(encoding="utf-8") for n in (1, 2)]
        command = "vllm serve meta-llama/Llama-3.1-8B-Instruct" + (" --max-num-seqs 64" if name == "seqs" else "")
        yield Case(name, command, "H100", None, read_evidence(texts), frozenset({label}))


def disturbed(case: Case, draw: random.Random) -> Case:
    """The case with every figure off by up to a tenth, parts left out, and the launch known less well."""
    changes: dict[str, Measured | None] = {}
    for name in sorted(MEASURED):
        found = getattr(case.seen, name)
        if not isinstance(found, Measured):
            continue
        keep = name in CORE or draw.random() > 0.3
        whole = name in ("running", "waiting", "running_max", "waiting_max", "preemptions_total", "kv_usage")
        value = found.value if whole else found.value * draw.uniform(0.9, 1.1)
        changes[name] = Measured(value=value, source=found.source) if keep else None
    if changes.get("tpot_ms_mean") and changes.get("itl_ms_mean") and draw.random() < 0.3:
        changes[draw.choice(("tpot_ms_mean", "itl_ms_mean"))] = None
    without = draw.random()
    pool = case.seen.pool if draw.random() > 0.3 else None
    return Case(
        case.name,
        None if without < 0.15 else case.command,
        None if without < 0.25 else case.gpu,
        None if draw.random() < 0.3 else case.version,
        case.seen.but(**changes, pool=pool),
        case.right,
    )


def judge(case: Case) -> Verdict:
    """Classify one case."""
    deployment = deploy_with_evidence(case.command, case.version, case.gpu, None, case.seen)
    memory = None
    if deployment is not None:
        isl, osl = case.seen.input_tokens, case.seen.output_tokens
        memory = estimate(
            deployment,
            case.seen.pool,
            input_tokens=max(1, round(isl.value)) if isl else None,
            output_tokens=max(1, round(osl.value)) if osl else None,
        )
    rules = ("not-vllm-first", "raise-ceiling-first", "no-draft-chunked-0180")
    return classify(deployment, case.seen, memory, roofline(deployment, case.seen, memory), rules)


@dataclass(slots=True)
class Tally:
    """Answers by confidence."""

    right: dict[float, int] = field(default_factory=lambda: defaultdict(int))
    wrong: dict[float, int] = field(default_factory=lambda: defaultdict(int))
    silent: int = 0
    by_label: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))

    def take(self, case: Case, verdict: Verdict) -> bool:
        """Count one answer; True when it is wrong."""
        if verdict.status in ("ambiguous", "refused"):
            self.silent += 1
            return False
        named = {name for name in (verdict.bottleneck, verdict.outside, verdict.status) if name}
        good = bool(named & case.right)
        at = max(low for low in BUCKETS if verdict.confidence >= low)
        (self.right if good else self.wrong)[at] += 1
        if not good:
            said = verdict.bottleneck or verdict.outside or verdict.status
            self.by_label["/".join(sorted(case.right)), str(said)] += 1
        return not good

    def lines(self) -> Iterator[str]:
        """The table."""
        total = sum(self.right.values()) + sum(self.wrong.values())
        for low, high in pairwise(BUCKETS):
            good, bad = self.right[low], self.wrong[low]
            if good + bad:
                yield f"  {low:.1f} to {min(high, 1.0):.1f}: {good + bad:5} answers, {good / (good + bad):6.1%} right"
        share = sum(self.right.values()) / total if total else 0.0
        yield f"  {total} answers, {share:.1%} right; {self.silent} ambiguous or refused"
        for (label, said), number in sorted(self.by_label.items(), key=lambda kv: -kv[1])[:12]:
            yield f"    {number:4} x {label} taken for {said}"

    @property
    def sure(self) -> tuple[int, int]:
        """Wrong and all at 0.8 or more."""
        wrong = sum(n for low, n in self.wrong.items() if low >= SURE)
        return wrong, wrong + sum(n for low, n in self.right.items() if low >= SURE)


def measure(cases: Sequence[Case], misses: bool = False) -> Tally:
    """Judge all cases."""
    tally = Tally()
    for case in cases:
        verdict = judge(case)
        if tally.take(case, verdict) and misses:
            d = verdict.derived
            shown: Mapping[str, object] = {k: d[k] for k in ("R", "N", "S_kv", "S_seq", "token_budget", "concurrency")}
            said = verdict.bottleneck or verdict.outside or verdict.status
            print(f"  {case.name}: {said} {verdict.confidence} {dict(shown)}")
    return tally


def main() -> int:
    """Print both tables; 1 when sure answers are wrong too often."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=40, help="variants of each base case, and simulated servers x 4")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--misses", action="store_true")
    asked = options.parse_args()
    draw = random.Random(asked.seed)  # noqa: S311
    bases = [*gold(), *captures()]
    failed = 0
    for title, cases, allowed in (
        ("perturbed gold, captured and made-up servers", [disturbed(c, draw) for c in bases for _ in range(asked.cases)], 0.0),
        ("simulated servers, cause by intervention", [Case(*one) for one in simulated(asked.cases * 4, draw)], 0.05),
    ):
        tally = measure(cases, asked.misses)
        print(title)
        print("\n".join(tally.lines()))
        wrong, sure = tally.sure
        failed |= bool(sure) and wrong > allowed * sure
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
