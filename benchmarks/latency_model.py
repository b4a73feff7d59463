#!/usr/bin/env python3
"""How far the latency model is from published vLLM results it was not fitted on.

    python benchmarks/latency_model.py [--limit N] [--fixed] [--peers PYTHON] [--write]

Reads ``data/bench.jsonl`` below VLLM_TRIAGE_SHARED (default ``../shared`` beside the checkout); without it there is
nothing to measure and the script says so. Every run goes through ``engine.simulation.predict``, with constants fitted
without its model x GPU group (``cost_folds.json``, written by ``tools/fit_cost.py --folds --write``).

Printed: errors of TTFT, TPOT and throughput before calibration, by GPU and by family; after calibration on one point of
a setup, at its neighbours; how often the stated 80% interval holds the truth; and whether the sign of a change is right,
for pairs of runs that differ in load or in one option. ``--peers`` names a Python that has aiconfigurator or servcalc
installed, and sets them beside this on a sample. ``--fixed`` simulates every prompt and output at its mean length.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, log
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "tools"), str(ROOT / "benchmarks")]

from published_runs import Run, data, read_runs  # noqa: E402
from vllm_triage.domain import Interval, Lengths, Measured, Observation, Prediction  # noqa: E402
from vllm_triage.engine.cost import CannotPredict, CostModel, cost_model  # noqa: E402
from vllm_triage.engine.cost.build import kind_of  # noqa: E402
from vllm_triage.engine.cost.efficiencies import Fitted, Generation, reached  # noqa: E402
from vllm_triage.engine.simulation import calibrate, predict  # noqa: E402

FOLDS = ROOT / "benchmarks" / "cost_folds.json"
RESULTS = ROOT / "benchmarks" / "latency_model.md"
FIGURES = ("TTFT", "TPOT", "throughput")
READ_THIS = """The rows are those of AIConfigurator's silicon samples and of the GPUStack performance lab; throughput of \
the former
follows from the latencies by Little's law. Intervals were chosen on the same left-out groups, so their coverage is a
check, not a test. aiconfigurator rests on kernel times measured on these devices; the runs are from its repository."""
CLEAR = 0.05
"""A measured change below this share is within what one server shows from run to run."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Predicted and measured figures of one run, in the order of `FIGURES`."""

    run: Run
    predicted: tuple[Interval, ...]

    @property
    def measured(self) -> tuple[float, ...]:
        return self.run.ttft_ms, self.run.tpot_ms, self.run.output_tok_s

    @property
    def off(self) -> tuple[float, ...]:
        """Logarithms of predicted over measured."""
        return tuple(log(one.mid / seen) for one, seen in zip(self.predicted, self.measured, strict=True))

    @property
    def held(self) -> tuple[bool, ...]:
        return tuple(one.low <= seen <= one.high for one, seen in zip(self.predicted, self.measured, strict=True))


def folds() -> dict[str, Fitted]:
    """Constants fitted without each group."""
    told = json.loads(FOLDS.read_text(encoding="utf-8"))
    found: dict[str, Fitted] = {}
    for group, values in told["without"].items():
        generations: dict[str, dict[str, float]] = defaultdict(dict)
        shared: dict[str, float] = {}
        for name, value in zip(told["names"], values, strict=True):
            generation, _, field = name.rpartition(".")
            if generation:
                generations[generation][field] = value
            else:
                shared[field] = value
        sets = {name: Generation(**fields) for name, fields in generations.items()}
        found[group] = Fitted(generations=sets, **shared)
    return found


def model_of(run: Run, without: Fitted | None) -> CostModel:
    """The product's cost model, with constants fitted without the run's group."""
    model = cost_model(run.deployment, run.memory)
    gpu, shape = run.deployment.gpu, run.deployment.model
    if without is None or gpu is None or shape is None:
        return model
    got = reached(kind_of(run.deployment, gpu, shape, model.terms), without)
    return replace(model, reached=got, first_token_ms=got.first_token_ms)


def figures(prediction: Prediction) -> tuple[Interval, ...]:
    """The figures a run is judged by."""
    return prediction.ttft_ms.mean, prediction.tpot_ms.mean, prediction.output_tok_s


def calibrated(outcomes: Sequence[Outcome], without: dict[str, Fitted]) -> list[Outcome]:
    """Each setup and shape calibrated on its middle load, predicted at the loads beside it."""
    series: dict[tuple[str, str], dict[float, Outcome]] = defaultdict(dict)
    for one in outcomes:
        work = one.run.workload
        if work.concurrency is not None:
            series[one.run.setup, f"{work.input}{work.output}"].setdefault(work.concurrency, one)
    found: list[Outcome] = []
    for points in series.values():
        loads = sorted(points)
        if len(loads) < 2:
            continue
        middle = len(loads) // 2
        run = points[loads[middle]].run
        seen = Observation(
            ttft_ms_mean=_seen(run.ttft_ms), tpot_ms_mean=_seen(run.tpot_ms), output_tok_s=_seen(run.output_tok_s)
        )
        model = calibrate(
            run.deployment, run.memory, run.workload, seen, model_of(run, without.get(run.group))
        )  # fmt: skip
        for beside in {max(0, middle - 1), min(len(loads) - 1, middle + 1)} - {middle}:
            other = points[loads[beside]].run
            simulated = predict(other.deployment, other.memory, other.workload, cost=model)
            found.append(Outcome(other, figures(simulated)))
    return found


def _seen(value: float) -> Measured:
    return Measured(value=value, source="published")


def report(title: str, outcomes: Sequence[Outcome]) -> list[str]:
    """Errors and coverage of some outcomes."""
    lines = [f"{title} ({len(outcomes)} runs)"]
    if not outcomes:
        return lines
    for place, name in enumerate(FIGURES):
        sizes = sorted(abs(exp(one.off[place]) - 1) for one in outcomes)
        bias = exp(statistics.median(one.off[place] for one in outcomes)) - 1
        covered = statistics.mean(one.held[place] for one in outcomes)
        lines.append(
            f"  {name:10} median {statistics.median(sizes):6.1%}  p90 {sizes[ceil(0.9 * len(sizes)) - 1]:7.1%}  "
            f"bias {bias:+7.1%}  in the 80% interval {covered:6.1%}"
        )
    return lines


def brief(outcomes: Iterable[Outcome], key: str) -> list[str]:
    """One line for each value of a field of the runs."""
    parts: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        parts[getattr(one.run, key)].append(one)
    lines = []
    for name, some in sorted(parts.items()):
        medians = [statistics.median(abs(exp(one.off[place]) - 1) for one in some) for place in range(3)]
        told = "  ".join(f"{what} {value:6.1%}" for what, value in zip(FIGURES, medians, strict=True))
        lines.append(f"  {name:36} {len(some):4}  {told}")
    return lines


def directions(outcomes: Sequence[Outcome]) -> list[str]:
    """Whether the sign of a change is right, between runs that differ in load or in one option alone."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one.run.group].append(one)
    right: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for some in groups.values():
        for place, one in enumerate(some):
            for other in some[place + 1 :]:
                kind = _differ(one.run, other.run)
                if kind is not None:
                    _count(right, kind, one, other)
    lines = []
    for (kind, name), (good, pairs, clear_good, clear) in sorted(right.items()):
        share, clearly = good / max(1, pairs), clear_good / max(1, clear)
        lines.append(
            f"  {kind:10} {name:10} {share:6.1%} of {pairs} pairs; {clearly:6.1%} of the {clear} that changed by more "
            f"than {CLEAR:.0%}"
        )
    return lines


def _count(right: dict[tuple[str, str], list[int]], kind: str, one: Outcome, other: Outcome) -> None:
    for place, name in enumerate(FIGURES):
        real = log(other.measured[place] / one.measured[place])
        told = log(other.predicted[place].mid / one.predicted[place].mid)
        if real == 0:
            continue
        row, good, clear = right[kind, name], int(real * told > 0), abs(real) > log(1 + CLEAR)
        row[0] += good
        row[1] += 1
        row[2] += good if clear else 0
        row[3] += clear


def _differ(one: Run, other: Run) -> str | None:
    """What two runs of a group differ in, if it is one thing: "load", or "option"."""
    same_shape = (one.workload.input, one.workload.output, one.workload.arrivals) == (
        other.workload.input, other.workload.output, other.workload.arrivals,
    )  # fmt: skip
    loads = [run.workload.concurrency or run.workload.requests for run in (one, other)]
    if not same_shape:
        return None
    if one.setup == other.setup:
        return "load" if loads[0] != loads[1] else None
    if loads[0] != loads[1]:
        return None
    return "one option" if _options_apart(one.setup, other.setup) == 1 else None


def _options_apart(one: str, other: str) -> int:
    """In how many options two commands differ; the number of GPUs follows from them. Other versions differ in all."""
    (a, _, version_a), (b, _, version_b) = (setup.split(" | ") for setup in (one, other))
    if version_a != version_b:
        return 99
    left, right = set(_options(a)), set(_options(b))
    return len({option for option, _ in left ^ right})


def _options(command: str) -> list[tuple[str, str]]:
    words = command.replace("=", " ").split()
    found = [("model", words[2])]
    for word in words[3:]:
        if word.startswith("-"):
            found.append((word, ""))
        else:
            found[-1] = (found[-1][0], found[-1][1] + word)
    return found


def main() -> int:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--limit", type=int, default=0, help="take every n-th run only")
    options.add_argument("--fixed", action="store_true", help="simulate equal lengths")
    options.add_argument("--in-sample", action="store_true", help="with the constants of the product itself")
    options.add_argument("--peers", metavar="PYTHON", help="an interpreter that has aiconfigurator or servcalc")
    options.add_argument("--write", action="store_true", help="write the result to latency_model.md")
    asked = options.parse_args()
    if not data().exists():
        print(f"nothing to measure: {data()} is not there")
        return 0
    began = perf_counter()
    without = {} if asked.in_sample else folds()
    runs, left_out = read_runs()
    runs = runs[:: asked.limit] if asked.limit else runs
    outcomes: list[Outcome] = []
    for run in runs:
        work = run.workload
        if asked.fixed:
            work = work.but(
                input=Lengths(mean=work.input.mean), output=Lengths(mean=work.output.mean), requests=None
                if work.arrivals == "closed" else work.requests,
            )  # fmt: skip
        try:
            seen = predict(run.deployment, run.memory, work, cost=model_of(run, without.get(run.group)))
        except CannotPredict as reason:
            told = f"cannot predict: {reason.missing[0][:60]}"
            left_out[told] = left_out.get(told, 0) + 1
            continue
        outcomes.append(Outcome(run, figures(seen)))
    lines = [f"{len(outcomes)} of {len(outcomes) + sum(left_out.values())} vLLM rows; left out:"]
    lines += [f"  {count:4}  {reason}" for reason, count in sorted(left_out.items())]
    drafting = [one for one in outcomes if one.run.deployment.args.get("speculative_config")]
    plain = [one for one in outcomes if one not in drafting]
    lines += report("uncalibrated, each group by constants fitted without it", plain)
    lines += [
        "by GPU:",
        *brief(plain, "gpu"),
        "by family:",
        *brief(plain, "family"),
        "by group:",
        *brief(plain, "group"),
    ]
    lines += report("with speculation, whose acceptance no row tells (assumed)", drafting)
    near = calibrated(plain, without)
    before = {one.run.number: one for one in plain}
    lines += report("the same points uncalibrated", [before[one.run.number] for one in near])
    lines += report("calibrated on the middle load of the setup, at the loads beside it", near)
    lines += ["sign of the predicted change:", *directions(plain)]
    if asked.peers:
        lines += beside(plain, asked.peers)
    lines.append(f"{perf_counter() - began:.0f} s")
    print("\n".join(lines))
    if asked.write:
        text = "\n".join(lines[:-1])
        head = (
            f"# Latency model against published results\n\n`python benchmarks/latency_model.py --write`\n\n{READ_THIS}"
        )
        RESULTS.write_text(f"{head}\n\n```\n{text}\n```\n", encoding="utf-8")
    return 0


def beside(outcomes: Sequence[Outcome], interpreter: str) -> list[str]:
    """Other tools on a sample of the same runs: some of every group."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        if one.run.workload.arrivals == "closed":
            groups[one.run.group].append(one)
    sample = [one for some in groups.values() for one in some[:: max(1, len(some) // 3)][:3]]
    cases = [_case(one.run) for one in sample]
    ended = subprocess.run(
        [interpreter, str(ROOT / "benchmarks" / "latency_peers.py")], input=json.dumps(cases), capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    if ended.returncode:
        return [f"peers: {ended.stderr.strip().splitlines()[-1] if ended.stderr.strip() else 'failed'}"]
    lines: list[str] = []
    for name, told in json.loads(ended.stdout.strip().splitlines()[-1]).items():
        if isinstance(told, str):
            lines.append(f"{name}: {told}")
            continue
        answered = [(one, answer) for one, answer in zip(sample, told["answers"], strict=True) if answer]
        lines.append(
            f"{name} {told['version']}: answers {len(answered)} of {len(sample)}; refusals: {told['refusals']}"
        )
        theirs = [Outcome(one.run, tuple(Interval(low=v, mid=v, high=v) for v in answer)) for one, answer in answered]
        lines += [f"  {name}", *brief_all(theirs), "  vllm-triage, same runs", *brief_all([o for o, _ in answered])]
    return lines


def brief_all(outcomes: Sequence[Outcome]) -> list[str]:
    """Errors without intervals."""
    if not outcomes:
        return []
    return [line.split("  in the")[0] for line in report("", outcomes)[1:]]


def _case(run: Run) -> dict[str, object]:
    """A run in plain words for other tools."""
    from vllm_triage.facts import models  # noqa: PLC0415

    given = run.deployment
    known = models.find(run.model)
    scheme = None if given.model is None or given.model.quantization is None else given.model.quantization.method
    names = [run.model, *(() if known is None else (known.id, *known.aliases))]
    added = given.args.get("quantization") or ("modelopt_fp4" if run.model.endswith("-NVFP4") else None)
    return {
        "names": names, "added_quantization": added, "config": None if known is None else known.config, "gpu": run.gpu,
        "tp": given.setting("tensor_parallel_size") or 1, "pp": given.setting("pipeline_parallel_size") or 1,
        "dp": given.setting("data_parallel_size") or 1, "expert_parallel": "--enable-expert-parallel" in run.setup,
        "moe": given.model is not None and given.model.moe is not None,
        "quantization": scheme or given.args.get("quantization"), "isl": round(run.workload.input.mean),
        "osl": round(run.workload.output.mean), "concurrency": run.workload.concurrency,
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
