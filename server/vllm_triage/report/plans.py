"""A plan in rows and words: what each configuration is, why it is shown, and why others are not."""

from collections.abc import Iterable
from math import isfinite
from typing import Literal

from pydantic import Field

from ..domain import Deployment, Interval, Json, Noun, Workload
from ..domain.base import Words
from ..engine.seats import seats_in_pool
from ..verdicts.planning import Fleets, Outcome, Plan, Trial
from ..verdicts.planning.launches import Refused
from ..verdicts.planning.layouts import indivisible
from ..verdicts.planning.outlook import MOST_SEATS
from ..verdicts.planning.plan import MOST_ENLARGED
from ..verdicts.planning.prospects import Prospect
from ..verdicts.planning.ranking import spend
from .predictions import interval_json, ms_words, prediction_json, prediction_words, rounded, workload_words
from .words import count

__all__ = ["PlanRow", "excluded", "plan_row", "scale_json", "shortfall", "summary_words"]

MOST_EXCLUDED = 12
MOST_NOTES = 4
MOST_SMALL = 2
MOST_TRIED = 6

POOL_FULL = 0.97


class PlanRow(Noun):
    """One configuration. Intervals are [low, mid, high], 80%."""

    rank: int
    meets: Literal["yes", "likely", "no"]
    """Of the targets: yes by the conservative end of the interval, likely by its middle."""
    why: str
    gpu: str
    gpus: int
    layout: str
    tensor_parallel_size: int
    pipeline_parallel_size: int
    data_parallel_size: int
    expert_parallel: bool
    servers: int
    """Copies of the command to run, each on GPUs of its own."""
    precision: str
    kv_cache_dtype: Json
    max_model_len: Json
    max_num_seqs: Json
    max_num_batched_tokens: Json
    pool: dict[str, Json]
    prediction: dict[str, Json]
    slo: list[dict[str, Json]] = Field(default_factory=list, exclude_if=lambda v: not v)
    cost: dict[str, Json] = Field(default_factory=dict, exclude_if=lambda v: not v)
    """Per hour, and per million tokens."""
    command: str
    notes: Words = ()


def plan_row(rank: int, trial: Trial, plan: Plan) -> PlanRow:
    """One configuration as it is shown."""
    launch = trial.launch
    layout, deployment = launch.layout, launch.deployment
    return PlanRow(
        rank=rank, meets=trial.met, why=_why(trial, plan), gpu=launch.fleet.gpu.name, gpus=launch.gpus, layout=str(layout),
        tensor_parallel_size=layout.engine.tp, pipeline_parallel_size=layout.engine.pp,
        data_parallel_size=layout.engine.dp * layout.dp, expert_parallel=layout.engine.experts, servers=layout.servers,
        precision=launch.variant.name, kv_cache_dtype=deployment.setting("kv_cache_dtype"),
        max_model_len=deployment.setting("max_model_len"), max_num_seqs=deployment.setting("max_num_seqs"),
        max_num_batched_tokens=deployment.setting("max_num_batched_tokens"), pool=_pool(trial),
        prediction={"words": prediction_words(trial.prediction), **_figures(trial)},
        slo=[_outcome(outcome) for outcome in trial.outcomes], cost=_cost(trial), command=launch.text, notes=_notes(trial),
    )  # fmt: skip


def _figures(trial: Trial) -> dict[str, Json]:
    """The figures a plan is chosen by; the rest is the simulator's."""
    whole = prediction_json(trial.prediction)
    names = ("ttft_ms", "itl_ms", "tpot_ms", "output_tok_s", "total_tok_s", "request_rate", "running", "waiting",
             "kv_usage_peak", "preemptions", "overloaded")  # fmt: skip
    return {name: whole[name] for name in names}


def _pool(trial: Trial) -> dict[str, Json]:
    """The KV pool of one replica, and the requests it holds."""
    memory = trial.launch.memory
    pool, gib = memory.pool, memory.budget.kv_pool_gib
    seats = seats_in_pool(memory, trial.launch.deployment.model, 1, trial.demand.prompt, trial.demand.output)
    return {
        "tokens": None if pool is None else pool.tokens,
        "gib_per_gpu": None if gib is None else [round(value, 1) for value in (gib.low, gib.mid, gib.high)],
        "requests": None if seats is None else rounded(seats),
    }  # fmt: skip


def _outcome(outcome: Outcome) -> dict[str, Json]:
    return {
        "metric": outcome.target.metric, "target": outcome.target.limit, "predicted": interval_json(outcome.predicted),
        "meets": outcome.met,
    }  # fmt: skip


def _cost(trial: Trial) -> dict[str, Json]:
    if trial.price is None:
        return {}
    found: dict[str, Json] = {"per_hour": rounded(trial.price)}
    for name, rate in (("output", trial.prediction.output_tok_s), ("total", trial.prediction.total_tok_s)):
        each = trial.per_million(rate)
        if each is not None and isfinite(each.high):
            found[f"per_million_{name}_tokens"] = interval_json(each)
    return found


def _why(trial: Trial, plan: Plan) -> str:
    """Why this one is shown, in a line."""
    targets = "every target" if trial.outcomes else "the traffic"
    first = plan.trials[0]
    if trial.met == "no":
        return f"misses {miss_words(trial)}"
    if trial.met == "likely":
        return f"meets {targets} by the middle of the interval, not by its conservative end"
    if trial is first:
        cheapest = "for least money" if trial.price is not None else "with the fewest GPUs"
        if any(spend(other) < spend(trial) and other.met == "yes" for other in plan.trials):
            cheapest += " of what needs no other checkpoint"
        return f"meets {targets} by the conservative bound, {cheapest}"
    more = []
    if trial.launch.altered < first.launch.altered:
        more.append("numbers altered less" if trial.launch.altered else "the checkpoint as it is")
    if trial.launch.gpus < first.launch.gpus:
        more.append("fewer GPUs")
    if trial.outcomes and trial.room > first.room:
        more.append(f"more room ({trial.room:.0%} left of the tightest target)")
    elif not trial.outcomes and trial.room > first.room:
        more.append("a quicker token")
    return f"meets {targets} too: {', '.join(more) or 'another way'}"


def miss_words(trial: Trial) -> str:
    """The figure missed most, and by how much."""
    limiting = trial.limiting
    if trial.prediction.overloaded:
        rate = trial.prediction.request_rate.mid
        return f"the load: {count(rate)} requests/s are served, the queue grows without end"
    if limiting is None or trial.crowded:
        return f"the load: {count(trial.prediction.running)} requests run and {count(trial.prediction.waiting)} wait"
    return outcome_words(limiting)


def outcome_words(outcome: Outcome) -> str:
    """``tpot_ms_mean 82 ms (62 to 111) against 50 ms``."""
    target, found = outcome.target, outcome.predicted
    if target.rate:
        return f"{target.metric} {count(found.mid)} ({count(found.low)} to {count(found.high)}) against {count(target.limit)}"
    span = f"{ms_words(found.low)} to {ms_words(found.high)}"
    return f"{target.metric} {ms_words(found.mid)} ({span}) against {ms_words(target.limit)}"


def _notes(trial: Trial) -> tuple[str, ...]:
    """What has to be there or done, and what check_compat says of the launch."""
    launch, layout = trial.launch, trial.launch.layout
    each = layout.gpus // layout.servers
    said = [launch.variant.assumed[:1].upper() + launch.variant.assumed[1:]] if launch.variant.assumed else []
    if layout.servers > 1:
        said.append(f"Run {layout.servers} of these, each on {each} GPU{'s' if each > 1 else ''} and a port of its own, "
                    "behind a load balancer")  # fmt: skip
    if layout.engine.spans:
        said.append(f"Needs a Ray cluster over {layout.engine.pp} machines")
    if "gpu_memory_utilization" in launch.tuned:
        said.append("Leaves little memory for what vLLM does not profile: nothing else may run on these GPUs")
    if launch.altered:
        said.append("Numbers are not those of the checkpoint: evaluate on your own task first")
    worth = [f for f in launch.report.findings if f.severity in ("silent", "degraded")]
    said += [f"check_compat, {f.severity}: {f.title}" for f in worth]
    return tuple(said[:MOST_NOTES])


def excluded(base: Deployment, fleets: Fleets, plan: Plan) -> tuple[str, ...]:
    """What was left out, a line each."""
    lines: list[str] = []
    if base.model is not None:
        lines += [f"{why} ({fleet.gpu.name})" for fleet in fleets.fleets if (why := indivisible(base.model, fleet))]
    lines += _refused(plan)
    lines += [_beaten(trial, better) for trial, better in plan.beaten]
    lines += _unsimulated(plan)
    lines = list(dict.fromkeys(lines))
    hidden = len(lines) - MOST_EXCLUDED
    return tuple(lines) if hidden <= 0 else (*lines[:MOST_EXCLUDED], f"and {hidden} more of the same kinds")


def _refused(plan: Plan) -> list[str]:
    """What does not fit or start: engines alike in one line, with the figures of the largest."""
    groups: dict[tuple[str, str], list[Refused]] = {}
    for refused in plan.refused:
        groups.setdefault((refused.gpu, refused.rule or refused.precision), []).append(refused)
    return [_refused_words(alike) for alike in groups.values()]


def _refused_words(alike: list[Refused]) -> str:
    last = alike[-1]
    engines = ", ".join(dict.fromkeys(str(one.engine) for one in alike))
    precisions = ", ".join(dict.fromkeys(one.precision for one in alike))
    told = f"{engines} in {precisions} on {last.gpu}: "
    if last.rule:
        return f"{told}does not start ({last.rule}): {last.why.rstrip('.')}"
    return f"{told}{last.why}" + (f" ({last.engine})" if "," in engines and last.why.startswith("weights") else "")


def _beaten(trial: Trial, better: Trial) -> str:
    name, other = _name(trial), _name(better)
    if trial.met not in ("yes", better.met):
        return f"{name}: misses {miss_words(trial)}; {other} does better for no more"
    if trial.launch.gpus > better.launch.gpus:
        return f"{name}: more GPUs than {other}, and no better"
    if trial.launch.altered > better.launch.altered:
        return f"{name}: alters the numbers more than {other}, and gains nothing"
    if trial.room > better.room:
        return f"{name}: better than {other} by less than the intervals tell apart, with more to set up"
    if trial.limiting is not None and better.limiting is not None:
        return f"{name}: {outcome_words(trial.limiting)}; {other} has as much room or more"
    return f"{name}: no better than {other}"


def _name(trial: Trial) -> str:
    tuned = {k: v for k, v in trial.launch.tuned.items() if k not in ("max_model_len", "max_num_seqs")}
    knobs = "".join(f", {k} {v}" for k, v in tuned.items())
    return f"{trial.launch.layout} {trial.launch.variant.name} on {trial.launch.gpus}x {trial.launch.fleet.gpu.name}{knobs}"


def _unsimulated(plan: Plan) -> list[str]:
    """What fits and was not simulated: smaller layouts of the checkpoint as it is, and of other precisions the best one."""
    tried = [*plan.trials, *(trial for trial, _ in plan.beaten)]
    seen = {(t.launch.fleet.gpu.name, t.launch.variant.name) for t in tried}
    best: dict[tuple[str, str], Prospect] = {}
    for prospect in sorted(plan.unsimulated, key=lambda p: (-p.hope, p.spend if p.hope else p.short)):
        best.setdefault((prospect.fleet.gpu.name, prospect.variant.name), prospect)
    small = [p for p in plan.unsimulated if not p.variant.altered and not p.hope][:MOST_SMALL]
    return [_outlook_words(p) for p in (*small, *(p for key, p in best.items() if key not in seen))]


def _outlook_words(p: Prospect) -> str:
    where = f"{p.variant.name} on {p.gpus}x {p.fleet.gpu.name} ({p.engine})"
    if not p.hope and p.outlook.seats < MOST_SEATS and p.outlook.running >= p.outlook.seats:
        return f"{where}: not simulated; each KV pool has room for about {p.outlook.seats:.0f} requests"
    if p.hope:
        return f"{where}: not simulated; by the steady state it needs as much or more than what is shown"
    return f"{where}: not simulated; by the steady state its worst figure comes to {p.short:.0%} of the limit before any margin"


def shortfall(plan: Plan) -> dict[str, Json]:
    """What limits the closest plan: which figure, by how much, and what stands behind it."""
    if plan.status != "nothing_meets" or not plan.trials:
        return {}
    closest = plan.trials[0]
    found: dict[str, Json] = {"closest": _name(closest), "because": _cause(closest)}
    if (limiting := closest.limiting) is not None and not closest.crowded:
        found |= {
            "metric": limiting.target.metric, "target": limiting.target.limit,
            "predicted": interval_json(limiting.predicted), "short_by": f"{max(0.0, limiting.short_by):.0%}",
        }  # fmt: skip
    return found


def _cause(trial: Trial) -> str:
    """What binds: the pool, the seats, the load, or the step itself."""
    found = trial.prediction
    layout = trial.launch.layout
    ranks = layout.replicas * layout.engine.dp
    seats = trial.launch.deployment.setting("max_num_seqs")
    if found.kv_usage_peak >= POOL_FULL and found.waiting > 0:
        return f"the KV pool is full: {count(found.running)} requests run, {count(found.waiting)} wait"
    if (
        isinstance(seats, int)
        and found.running_peak * (1 if layout.engine.dp * layout.dp == 1 else ranks) >= seats * ranks
    ):
        return f"all {seats * ranks:,} seats are taken: {count(found.waiting)} requests wait"
    if found.overloaded:
        return "requests come faster than the GPUs compute them"
    if trial.limiting is not None and trial.limiting.met == "likely":
        return "the middle of the interval meets it; the conservative end does not"
    return "the steps themselves: reading the weights and the KV cache, and the prompts in between"


def scale_json(plan: Plan) -> dict[str, Json]:
    """What would meet the targets, by the numbers."""
    if plan.would is None:
        return {}
    trial = plan.would.trial
    return {
        "gpus": plan.would.gpus, "gpu": trial.launch.fleet.gpu.name, "layout": str(trial.launch.layout),
        "precision": trial.launch.variant.name, "command": trial.launch.text, "tried_first": _tried(plan),
    }  # fmt: skip


def _tried(plan: Plan) -> list[Json]:
    """What was tried on the GPUs there are, knobs included, and why it does not do: more GPUs come last."""
    tried = [*plan.trials, *(trial for trial, _ in plan.beaten)]
    told: list[Json] = [f"{_name(trial)}: {miss_words(trial)}" for trial in tried[:MOST_TRIED]]
    return told or [*_refused(plan)]


def summary_words(base: Deployment, fleets: Fleets, workload: Workload, plan: Plan) -> str:
    """Two to four sentences: what to run, what it does, what else there is."""
    given = " or ".join(f"{fleet.count}x {fleet.gpu.name}" for fleet in fleets.fleets)
    load = workload_words(workload)
    said: list[str] = []
    if plan.trials and plan.status == "planned":
        best = plan.trials[0]
        told = "; ".join(outcome_words(o) for o in best.outcomes) or prediction_words(best.prediction)
        verb = "likely meets" if best.met == "likely" else "meets"
        what = "every target" if best.outcomes else "it"
        said.append(
            f"For {load} on {base.model_id}, vLLM {base.version}: "
            f"{_name(best)} {verb} {what} ({told}){_price(best)}."
        )
        said += _others(plan.trials[1:], surely=best.met == "yes")
    elif plan.trials:
        closest = plan.trials[0]
        surely = "surely " if closest.met == "likely" else ""
        said.append(
            f"Nothing on {given} {surely}meets the targets for {load} with {base.model_id}, vLLM {base.version}."
        )
        said.append(f"Closest is {_name(closest)}: {miss_words(closest)}; {_cause(closest)}.")
    else:
        what = "does not start" if all(refused.rule for refused in plan.refused) else "does not fit"
        said.append(f"{base.model_id} {what} on {given} (vLLM {base.version}).")
        said += [f"{line}." for line in _refused(plan)[-1:]]
    said += _more(plan)
    return " ".join(said)


def _more(plan: Plan) -> list[str]:
    """How many GPUs would do, where those there are do not."""
    if plan.status == "planned":
        return []
    if plan.would is not None:
        trial = plan.would.trial
        kind = f"{plan.would.gpus}x {trial.launch.fleet.gpu.name}"
        return [f"By the numbers {kind} would ({trial.launch.layout}, {trial.launch.variant.name})."]
    return [f"No number of these GPUs up to {MOST_ENLARGED} does, by the numbers."] if plan.hopeless else []


def _others(rest: Iterable[Trial], *, surely: bool) -> list[str]:
    sure = "meets them too" if surely else "meets them by the conservative bound, with a checkpoint to be found or made"
    told = [f"{_name(trial)} ({sure if trial.met == 'yes' else 'likely'})" for trial in rest]
    return [f"Also worth trying: {'; '.join(told)}."] if told else []


def _price(trial: Trial) -> str:
    each: Interval | None = trial.per_million(trial.prediction.output_tok_s)
    if trial.price is None or each is None or not isfinite(each.mid):
        return ""
    return f"; {trial.price:,.2f} an hour, {count(each.mid)} per million output tokens"
