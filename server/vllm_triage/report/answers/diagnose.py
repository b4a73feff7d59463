"""``diagnose``: everything on one page, with ordered actions."""

from typing import Any, Literal

from pydantic import Field

from ...domain import Diagnosis, Json, Noun, Observation
from ..answer import ToolAnswer
from ..arguments import DeploymentArguments, MetricsArguments
from ..diagnose import diagnose
from ..page import page
from ..reading import read
from ..targets import MORE_IS_BETTER, Slo
from ..words import BOTTLENECK_NAMES, count, gpu_words, verdict_words
from . import classify, compat, kv, parse

__all__ = ["Answer", "Arguments", "SloOutcome", "run"]

class Arguments(DeploymentArguments, MetricsArguments):
    """A launch, what was measured of it, and what is wanted."""

    slo: Slo | None = Field(None, description='Targets by metric name, e.g. {"ttft_ms_p99": 2000}.')
    acknowledge: tuple[str, ...] = Field((), description="House rules accepted by id, e.g. raise-ceiling-first.")
    detail: Literal["short", "full"] = Field("short", description="full: the parts as their own tools give them.")


class SloOutcome(Noun):
    """One target against what was measured. `met` is None where nothing was measured."""

    metric: str
    target: float
    measured: float | None
    met: bool | None


class Answer(ToolAnswer):
    """The diagnosis; `report` is the page."""

    status: str
    reading: dict[str, Json]
    memory: dict[str, Json]
    verdict: dict[str, Json]
    compat: dict[str, Json]
    refusals: list[dict[str, Json]]
    recommendations: list[dict[str, Json]]
    will_not_help: list[str] = Field(default_factory=list, exclude_if=lambda v: not v)
    untried: list[str] = Field(default_factory=list, exclude_if=lambda v: not v)
    slo: list[SloOutcome] = Field(default_factory=list, exclude_if=lambda v: not v)
    next_read: dict[str, Json]
    measure_next: str
    report: str

    def to_text(self) -> str:
        """The page: it holds all the rest."""
        return self.report

    def found(self) -> bool:
        """True unless the server is healthy and its launch clean."""
        return self.status != "healthy" or not self.compat["ok"]


def run(arguments: Arguments) -> Answer:
    """Diagnose one deployment.

    Raises:
        ValueError: no launch can be read, or an argument names nothing known.
    """
    reading = read(**arguments.deployment(), evidence=arguments.evidence, given=arguments.given())
    found = diagnose(reading, arguments.acknowledge, arguments.slo)
    outcomes = slo_outcomes(arguments.slo or {}, found.observation)
    summary = summarise(found, outcomes)
    parts = full_parts(arguments) if arguments.detail == "full" else short_parts(found)
    return Answer(
        summary=summary,
        status=found.verdict.status,
        **parts,
        refusals=[r.to_json() for r in found.refusals],
        recommendations=[r.to_json() for r in found.recommendations],
        will_not_help=list(found.will_not_help),
        untried=list(found.untried),
        slo=outcomes,
        next_read=found.next_read.to_json(),
        measure_next=found.measure_next,
        report=page(found, summary),
    )


def summarise(d: Diagnosis, outcomes: list[SloOutcome]) -> str:
    """Two to four sentences: what binds, the figures that say so, the first action, what the target says."""
    verdict = d.verdict
    said = [f"vLLM {d.deployment.version} on {gpu_words(d.deployment)}: {verdict_words(verdict)}."]
    standing = [x for x in d.refusals if not x.acknowledged]
    if standing:
        said.append(standing[0].message)
    elif verdict.status == "classified" and (seats := seats_words(d)):
        said.append(seats)
    if d.recommendations:
        first = d.recommendations[0]
        effect = f" ({first.expected.partition(' (simulated')[0]}, simulated)" if first.simulated else ""
        said.append(f"First: {first.action}{effect}.")
    elif not standing:
        said.append(f"Measure next: {d.measure_next}.")
    missed = [o for o in outcomes if o.met is False]
    if missed:
        said.append(
            "Missed: "
            + ", ".join(f"{o.metric} {count(o.measured or 0)} against {count(o.target)}" for o in missed)
            + "."
        )
    return " ".join(said)


def seats_words(d: Diagnosis) -> str:
    """How many run against how many could: the gauge where there is one, else Little's law."""
    gauge, r = d.observation.running, d.roofline
    running = gauge.value if gauge is not None else r.running
    limits = [(r.seats_kv, "KV seats"), (r.seats_scheduler, "scheduler seats")]
    told = " and ".join(f"{count(seats)} {name}" for seats, name in limits if seats is not None)
    return f"About {count(running)} sequences run at once against {told}." if running is not None and told else ""


def slo_outcomes(targets: dict[str, float], observation: Observation) -> list[SloOutcome]:
    """Each target against the observation."""
    outcomes = []
    for metric, target in targets.items():
        found = getattr(observation, metric)
        value = None if found is None else found.value
        met = None if value is None else (value >= target if metric in MORE_IS_BETTER else value <= target)
        outcomes.append(SloOutcome(metric=metric, target=float(target), measured=value, met=met))
    return outcomes


def short_parts(d: Diagnosis) -> dict[str, Any]:
    """The four parts, each cut to what a reader of the page asks for first."""
    deployment, memory, verdict, compat_report = d.deployment, d.memory, d.verdict, d.compat
    reading: dict[str, Json] = {
        "vllm_version": deployment.vllm_version.to_json(),
        "model": deployment.model_id,
        "gpu": gpu_words(deployment),
        "flags": [
            {"flag": f.flag, "value": f.value, "default": f.default, "is_default": f.is_default, "status": f.status}
            for f in deployment.flags
        ],
        "problems": [p.to_json() for p in deployment.problems if p.severity != "info"],
    }
    return {
        "reading": reading,
        "memory": {}
        if memory is None
        else {
            "kv_bytes_per_token": memory.kv_bytes_per_token,
            "pool": memory.pool.to_json() if memory.pool else None,
            "capacity": memory.capacity.to_json() if memory.capacity else None,
        },
        "verdict": {
            "status": verdict.status,
            "bottleneck": verdict.bottleneck,
            "sub_bound": verdict.sub_bound,
            "outside": verdict.outside,
            "confidence": verdict.confidence,
            "missing": list(verdict.missing),
            "evidence": [
                f"{e.signal}: {e.observed} (expected {e.expected}; {'supports' if e.supports else 'against'})"
                for e in verdict.evidence
            ],
            "ruled_out": [f"{BOTTLENECK_NAMES[x.bottleneck]}: {x.because}" for x in verdict.ruled_out],
            "derived": verdict.derived,
        },
        "compat": {
            "ok": compat_report.ok,
            "rules_checked": compat_report.rules_checked,
            "findings": [
                {"rule": f.rule, "severity": f.severity, "title": f.title, "fix": f.fix} for f in compat_report.findings
            ],
        },
    }


def full_parts(arguments: Arguments) -> dict[str, Any]:
    """The four parts exactly as their own tools give them."""
    names, given = arguments.deployment(), arguments.given()
    launch = {("hf_config" if name == "model_config" else name): value for name, value in names.items()}
    lengths = {name: max(1, round(given[name])) for name in ("input_tokens", "output_tokens") if name in given}
    return {
        "reading": parse.run(parse.Arguments(**launch)).to_json(),
        "memory": kv.run(kv.Arguments(**launch, evidence=arguments.evidence, **lengths)).to_json(),
        "verdict": classify.run(
            classify.Arguments(**launch, **given, evidence=arguments.evidence, acknowledge=arguments.acknowledge)
        ).to_json(),
        "compat": compat.run(compat.Arguments(**launch)).to_json(),
    }
