"""``simulate_change``: the launch as it is beside the launch with flags changed, under the same traffic."""

from typing import Any, Literal

from pydantic import Field, field_validator

from ...domain import CORE_METRICS, Deployment, Json, MemoryBudget, Noun, Observation, Problem, Workload
from ...domain.base import Words
from ...engine.cost import CannotPredict
from ...engine.machine import machine
from ...readers.changes import MAX_CHANGE_CHARS, ReadChange, read_change
from ...verdicts.compat import check
from ...verdicts.whatif import (
    BreakEven,
    Goal,
    Ground,
    InSteps,
    SloForecast,
    Sweep,
    Trial,
    best_of,
    caveats_of,
    forecasts,
    goal_for,
    ground_on,
    in_steps,
    in_steps_after,
    spares_the_engine,
    steps_words,
    try_change,
)
from ..answer import ToolAnswer
from ..arguments import BadArguments, DeploymentArguments, MetricsArguments, Texts
from ..predictions import difference_json, prediction_json, prediction_words, workload_words
from ..progress import part
from ..reading import read
from ..targets import Slo
from ..text import bullets, section

__all__ = ["Answer", "Arguments", "ChangeOutcome", "run"]

BLIND = "not known: what it changes is in neither the schedule nor the step time as they are modelled"
MOST_CHANGES = 12
MOST_SWEPT = 4
"""Changes whose effect is followed over a range of loads."""


class Arguments(DeploymentArguments, MetricsArguments):
    """A launch, what was measured of it, and what to change."""

    changes: Texts = Field(
        min_length=1, max_length=MOST_CHANGES,
        description='One text per configuration to try: "--max-num-seqs 512", "--kv-cache-dtype fp8 without --enforce-eager".',
    )  # fmt: skip
    workload: str | dict[str, Any] | None = Field(
        None, description='Traffic if not the measured: "64 users, 2k in, 300 out", "4 req/s", bench command or JSON, trace.'
    )
    slo: Slo | None = Field(None, description='Targets: {"ttft_ms_p99": 2000}.')

    @field_validator("changes")
    @classmethod
    def _short(cls, changes: tuple[str, ...]) -> tuple[str, ...]:
        if any(len(text) > MAX_CHANGE_CHARS for text in changes):
            raise ValueError(f"a change is a few flags, at most {MAX_CHANGE_CHARS:,} characters")
        return changes


class ChangeOutcome(Noun):
    """One changed configuration. Intervals are [low, mid, high]."""

    change: str
    verdict: str
    """What it does, in one line; or why it was not simulated."""
    effect: Literal["better", "worse", "trade", "none", "unknown"]
    caveats: Words = ()
    """What the simulation cannot tell of this change."""
    problems: tuple[Problem, ...] = ()
    compat: list[dict[str, Json]] = Field(default_factory=list)
    """Findings of the changed launch that the launch as it is does not have."""
    pool: dict[str, Json] = Field(default_factory=dict)
    prediction: dict[str, Json] | None = None
    steps: InSteps | None = None
    differences: list[dict[str, Json]] = Field(default_factory=list)
    slo: tuple[SloForecast, ...] = ()
    break_even: BreakEven | None = None


class Answer(ToolAnswer):
    """The launch as it is, and each change. `status`: ``simulated``; ``steps`` where only the schedule is known, not how
    long a step takes; ``cannot_predict`` with what is `missing`."""

    status: Literal["simulated", "steps", "cannot_predict"]
    basis: str
    """``calibrated on your numbers`` with how well it fits, or ``predicted``."""
    workload: dict[str, Json]
    baseline: dict[str, Json]
    changes: tuple[ChangeOutcome, ...]
    missing: Words
    problems: tuple[Problem, ...]
    assumptions: Words
    not_modelled: Words

    def found(self) -> bool:
        """True when a change helps, or is wrong."""
        return any(c.effect != "none" or c.problems for c in self.changes)

    def to_text(self) -> str:
        """The summary, then a block for each change."""
        lines = [self.summary, *([f"Basis: {self.basis}."] if self.basis else [])]
        for c in self.changes:
            lines += ["", f"{c.change}: {c.verdict}", *(f"  {line}" for line in _outcome_lines(c))]
        lines += ["", *section("Assumed", bullets(self.assumptions)), *section("Not modelled", bullets(self.not_modelled))]
        return "\n".join(lines)


def run(arguments: Arguments) -> Answer:
    """Simulate each change.

    Raises:
        ValueError: no launch can be read, or the workload is none.
    """
    reading = read(**arguments.deployment(), evidence=arguments.evidence, given=arguments.given())
    if reading.deployment is None or reading.memory is None:
        raise BadArguments("command: required; paste the launch, a manifest, or the log that prints it.")
    workload = _workload(arguments.workload)
    case = _Case(reading.deployment, reading.memory, reading.observation, workload, arguments)
    try:
        return case.simulated()
    except CannotPredict as error:
        return case.in_steps(error)


def _workload(given: str | dict[str, Any] | None) -> Workload | None:
    if given is None:
        return None
    from ...readers.workloads import read_workload  # noqa: PLC0415 (measured traffic does without)

    return read_workload(given)


class _Case:
    """One call: the launch, its load, and the changes as read."""

    def __init__(
        self, deployment: Deployment, memory: MemoryBudget, observation: Observation, workload: Workload | None,
        arguments: Arguments,
    ) -> None:  # fmt: skip
        self.deployment = deployment
        self.memory = memory
        self.observation = observation
        self.workload = workload
        self.targets = arguments.slo or {}
        self.changes = tuple(
            read_change(
                text, deployment.version, given=deployment.args, model=deployment.model_id, usage=deployment.usage
            )
            for text in arguments.changes
        )
        self.compat = check(deployment)
        self.standing = {finding.rule for finding in self.compat.findings}

    def simulated(self) -> Answer:
        """Every change on the simulator.

        Raises:
            CannotPredict: the launch as it is cannot be predicted.
        """
        probe = self.workload
        runs = 1 + len(self.changes)
        ground = ground_on(self.deployment, self.memory, self.observation, probe, progress=part(0, 2 * runs))
        goal = goal_for(None, self.observation, self.targets)
        tried = [self._try(ground, goal, change, number, runs) for number, change in enumerate(self.changes, start=1)]
        swept = [number for number, (_, trial) in enumerate(tried) if trial is not None and trial.prediction][:MOST_SWEPT]
        outcomes = [outcome for outcome, _ in tried]
        sweep = Sweep(ground)
        for place, number in enumerate(swept):
            trial = tried[number][1]
            if trial is not None and trial.effect != "none":
                turning = sweep.follow(trial, part(len(swept) + place, 2 * len(swept)))
                outcomes[number] = outcomes[number].but(break_even=turning)
        return self._answer(ground, goal, tuple(outcomes), [trial for _, trial in tried])

    def _try(
        self, ground: Ground, goal: Goal, change: ReadChange, number: int, runs: int
    ) -> tuple[ChangeOutcome, Trial | None]:
        if change.refused:
            problem = next(p for p in change.problems if p.severity in ("fatal", "error"))
            fix = f"; {problem.fix}" if problem.fix else ""
            verdict = f"not simulated: {problem.message}{fix}"
            return ChangeOutcome(change=change.text, verdict=verdict, effect="unknown", problems=change.problems), None
        trial = try_change(ground, change.changes, change.env, first=goal.names, progress=part(number, 2 * runs))
        return self._outcome(change, trial, caveats_of(change.changes, ground.workload)), trial

    def _outcome(self, change: ReadChange, trial: Trial, caveats: tuple[str, ...]) -> ChangeOutcome:
        pools = [None if m.pool is None else m.pool.tokens for m in (self.memory, trial.memory)]
        new = [f for f in trial.compat.findings if f.rule not in self.standing]
        outside = spares_the_engine((*change.changes, *change.env))
        words = trial.words
        if trial.unchanged:
            words = "nothing changes: the launch is so already"
        elif trial.blind:
            words = "changes nothing the engine schedules or computes" if outside else BLIND
        was, now = machine(self.deployment, None), machine(trial.deployment, None)
        if was.gpus != now.gpus:
            words = f"{words}, on {now.gpus} GPU{'s' if now.gpus > 1 else ''} instead of {was.gpus}"
        if caveats and trial.effect == "none" and not trial.unchanged:
            words = f"{words}; but {caveats[0]}"
        known = not trial.blind or trial.unchanged or outside
        return ChangeOutcome(
            change=change.text, verdict=words, caveats=caveats, effect=trial.effect if known else "unknown",
            problems=change.problems,
            compat=[{"rule": f.rule, "severity": f.severity, "title": f.title, "fix": f.fix} for f in new],
            pool={
                "before": pools[0], "after": pools[1], "replicas": [was.dp, now.dp],
                "basis": None if self.memory.pool is None else self.memory.pool.basis,
            },
            prediction=None if trial.prediction is None else prediction_json(trial.prediction),
            differences=[difference_json(d) for d in trial.differences],
            slo=() if trial.prediction is None else forecasts(self.targets, trial.prediction, trial.after),
        )  # fmt: skip

    def _answer(
        self, ground: Ground, goal: Goal, outcomes: tuple[ChangeOutcome, ...], trials: list[Trial | None]
    ) -> Answer:
        basis = ground.cost.fit if ground.cost.basis == "calibrated" else f"predicted: not calibrated, {self._uncalibrated()}"
        said = [
            f"Simulated {workload_words(ground.workload)} on vLLM {self.deployment.version}, {ground.basis_words}.",
            f"As it is: {prediction_words(ground.prediction)}.",
        ]
        if not self.compat.ok:
            fatal = self.compat.fatal()[0]
            said.insert(0, f"As it is vLLM {self.deployment.version} refuses this launch: {fatal.title}. As if it started:")
        told = [f"{o.change}: {o.verdict}" for o in outcomes[:2]]
        said.append(". ".join(told) + ".")
        best = best_of(goal, ground.prediction, trials)
        if len(outcomes) > 2:
            said.append(f"Best of {len(outcomes)}: {outcomes[best].change}." if best is not None else "None of them helps.")
        if self.targets:
            meets = [o.change for o in outcomes if o.slo and all(f.met for f in o.slo)]
            said.append(f"Meets all targets: {'; '.join(meets)}." if meets else "No change meets all targets for certain.")
        predictions = [ground.prediction, *(t.prediction for t in trials if t is not None and t.prediction)]
        missed = forecasts(self.targets, ground.prediction, None)
        return Answer(
            summary=" ".join(said), status="simulated", basis=basis, workload=_workload_json(ground.workload),
            baseline={
                **prediction_json(ground.prediction),
                **({"slo": [f.to_json() for f in missed]} if missed else {}),
            },
            changes=outcomes, missing=(), problems=_problems(self.deployment),
            assumptions=_unique(
                ground.workload.notes, ground.assumptions, ground.notes, self.memory.assumptions,
                *(p.assumptions for p in predictions),
            ),
            not_modelled=_unique(self.memory.not_modelled, *(p.not_modelled for p in predictions)),
        )  # fmt: skip

    def _uncalibrated(self) -> str:
        """What measurements would have to be there to calibrate on."""
        core = self.observation.missing_core()
        if len(core) == len(CORE_METRICS):
            return "no measurement of this server was given"
        if core:
            return f"for that it needs {', '.join(core)} too"
        return "the lengths of the requests that were measured are not known"

    def in_steps(self, reason: CannotPredict) -> Answer:
        """The schedule alone, where no step time is known; else what is missing."""
        from ...engine.simulation import workload_of  # noqa: PLC0415 (the usual way does not need it)

        workload = self.workload or workload_of(self.observation)
        try:
            if workload is None:
                raise reason
            before = in_steps(self.deployment, self.memory, workload)
            outcomes = tuple(self._stepped(change, before, workload) for change in self.changes)
        except CannotPredict as error:
            return self._cannot(tuple(dict.fromkeys((*reason.missing, *error.missing))))
        told = "; ".join(f"{o.change}: {o.verdict}" for o in outcomes[:2])
        summary = (
            f"No time can be predicted here: it needs {'; '.join(reason.missing)}. The schedule can: as it is the first token "
            f"comes after {before.first_token_steps:g} steps with {before.waiting:g} waiting. {told}. "
            "How long a step takes, and so every latency and rate, is not known."
        )
        return Answer(
            summary=summary, status="steps", basis="schedule only, in steps", workload=_workload_json(workload),
            baseline=before.to_json(), changes=outcomes, missing=reason.missing, problems=_problems(self.deployment),
            assumptions=self.memory.assumptions, not_modelled=("the length of a step",),
        )  # fmt: skip

    def _stepped(self, change: ReadChange, before: InSteps, workload: Workload) -> ChangeOutcome:
        if change.refused:
            problem = next(p for p in change.problems if p.severity in ("fatal", "error"))
            return ChangeOutcome(
                change=change.text, verdict=f"not simulated: {problem.message}", effect="unknown", problems=change.problems
            )
        after = in_steps_after(self.deployment, self.memory, workload, change.changes, change.env)
        return ChangeOutcome(
            change=change.text, verdict=steps_words(before, after), effect="unknown", problems=change.problems, steps=after
        )

    def _cannot(self, missing: tuple[str, ...]) -> Answer:
        outcomes = tuple(
            ChangeOutcome(change=c.text, verdict="not simulated", effect="unknown", problems=c.problems) for c in self.changes
        )
        return Answer(
            summary=f"Cannot predict: needs {'; '.join(missing)}.", status="cannot_predict", basis="", workload={},
            baseline={}, changes=outcomes, missing=missing, problems=_problems(self.deployment), assumptions=(),
            not_modelled=(),
        )  # fmt: skip


def _workload_json(workload: Workload) -> dict[str, Json]:
    data = workload.to_json()
    data["trace"] = len(workload.trace)
    data.pop("notes", None)
    return {"words": workload_words(workload), **{k: v for k, v in data.items() if v not in (None, 0, [], 1)}}


def _problems(deployment: Deployment) -> tuple[Problem, ...]:
    return tuple(p for p in deployment.problems if p.severity != "info")


def _unique(*groups: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for group in groups for text in group))


def _outcome_lines(c: ChangeOutcome) -> list[str]:
    """What stands below the verdict of one change."""
    lines = []
    before, after = c.pool.get("before"), c.pool.get("after")
    if isinstance(before, int) and isinstance(after, int) and before != after:
        lines.append(f"KV pool {_tokens(before, c, 0)} -> {_tokens(after, c, 1)} tokens")
    lines += [f"{s.metric} {s.target:g}: {'met' if s.met else 'missed' if s.met is False else 'may be met'}" for s in c.slo]
    lines += [text for text in c.caveats if text not in c.verdict]
    if c.break_even is not None:
        lines += c.break_even.words
    lines += [f"{f['severity']} {f['rule']}: {f['title']}. {f['fix']}" for f in c.compat]
    lines += [f"{p.severity}: {p.message}{f' ({p.fix})' if p.fix else ''}" for p in c.problems]
    return lines


def _tokens(of_one: int, c: ChangeOutcome, place: int) -> str:
    """The pool of one replica, and how many replicas have one where they are several."""
    replicas = c.pool.get("replicas")
    many = replicas[place] if isinstance(replicas, list) else 1
    return f"{many} x {of_one:,}" if isinstance(many, int) and many > 1 else f"{of_one:,}"
