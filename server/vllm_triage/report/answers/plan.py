"""``plan_deployment``: the few configurations worth trying for a model, GPUs, traffic and targets."""

from dataclasses import replace
from math import ceil
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ...domain import Deployment, Json, Lengths, Sourced, Workload
from ...domain.base import Words
from ...engine.deployment import deploy
from ...verdicts.planning import Ask, Fleets, Plan, demand_of, plan, read_fleets, sampled, targets_of
from ..answer import ToolAnswer
from ..arguments import Amount, OptionalDeploymentArguments
from ..plans import PlanRow, excluded, plan_row, scale_json, shortfall, summary_words
from ..predictions import workload_words
from ..progress import current
from ..targets import Slo
from ..text import bullets, section

__all__ = ["Answer", "Arguments", "run"]

SLOWEST = 1e-3
"""Requests per second below which a server is idle: slower traffic is planned for as that."""

SPREAD = 0.25
"""Half width over the mean of lengths of which only the mean is given: people do not all send the same prompt."""


def _prices(value: object) -> object:
    """A number that came as text is a number; an object is left as it is."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


class Arguments(OptionalDeploymentArguments):
    """A model or launch, the GPUs there are, the traffic, and what is wanted."""

    command: Annotated[str, Field(max_length=2**18)] | None = Field(
        None, description="A model id, or a launch whose other flags are kept."
    )
    gpu: str | None = Field(
        None, max_length=400, description='GPUs available: "8x H200"; alternatives: "8x H100 or 16x L40S".'
    )
    concurrency: Amount | None = Field(None, description="Users with a request in flight.")
    request_rate: Amount | None = Field(None, description="Or requests/s.")
    input_tokens: Amount | None = Field(None, description="Mean prompt length.")
    output_tokens: Amount | None = Field(None, description="Mean output length.")
    workload: str | dict[str, Any] | None = Field(
        None, description='Instead: "64 users, 2k in, 300 out", bench command or JSON, trace.'
    )
    slo: Slo | None = Field(None, description='Targets: {"ttft_ms_p99": 2000, "tpot_ms_mean": 50}.')
    price_per_gpu_hour: Annotated[Amount | dict[str, Amount] | None, BeforeValidator(_prices)] = Field(
        None, description='One price, or by GPU: {"H100": 2.5}.'
    )


class Answer(ToolAnswer):
    """The plan. `status`: planned; nothing_meets (the closest are shown); nothing_fits; needs (see `missing`)."""

    status: Literal["planned", "nothing_meets", "nothing_fits", "needs"]
    vllm_version: Sourced
    model: str | None
    gpus: list[str]
    workload: str
    plans: tuple[PlanRow, ...]
    excluded: Words
    shortfall: dict[str, Json] = Field(default_factory=dict, exclude_if=lambda v: not v)
    """What limits the closest plan: which figure, by how much, and why."""
    would_meet: dict[str, Json] = Field(default_factory=dict, exclude_if=lambda v: not v)
    """How many GPUs would meet the targets, by the numbers."""
    missing: Words
    assumptions: Words
    not_modelled: Words

    def found(self) -> bool:
        """True where there is something to act on: no plan meets the targets."""
        return self.status != "planned"

    def to_text(self) -> str:
        """The summary, a block for each plan, then what was left out."""
        lines = [self.summary]
        for row in self.plans:
            lines += ["", *_row_lines(row)]
        lines += ["", *section("Left out", bullets(self.excluded)), *section("Assumed", bullets(self.assumptions))]
        lines += section("Not modelled", bullets(self.not_modelled))
        return "\n".join(lines).rstrip()


def run(arguments: Arguments) -> Answer:
    """Plan a deployment.

    Raises:
        ValueError: the command or the workload cannot be read.
    """
    base = deploy(arguments.command, arguments.vllm_version, None, arguments.hf_config)
    if arguments.gpu is None:
        base = deploy(**arguments.deployment())
    fleets = read_fleets(arguments.gpu, base, arguments.price_per_gpu_hour)
    workload, lacking = _workload(arguments)
    missing = (*_model_missing(base), *fleets.missing, *lacking)
    if workload is None or missing or base.model is None:
        return _needs(base, fleets, workload, missing)
    cached = base.args.get("enable_prefix_caching") is not False
    demand = demand_of(workload, cached=cached)
    holds = base.model.derived_max_model_len
    if holds is not None and demand.longest > holds and not _lengthened(base):
        length = f"requests of at most {holds:,} tokens, which is what {base.model_id} holds: the longest take {demand.longest:,}"
        return _needs(base, fleets, workload, (length,))
    simulated = sampled(workload)
    demand = replace(demand_of(simulated, cached=cached), longest=demand.longest)
    made = plan(Ask(base, arguments.hf_config, demand, targets_of(arguments.slo or {})), fleets.fleets, simulated,
                progress=current())  # fmt: skip
    if made.missing and not made.trials:
        return _needs(base, fleets, workload, made.missing)
    return _answer(arguments, base, fleets, simulated, made)


def _lengthened(base: Deployment) -> bool:
    return any(base.args.get(name) is not None for name in ("hf_overrides", "rope_scaling"))


def _model_missing(base: Deployment) -> tuple[str, ...]:
    if base.model is None:
        wrong = next((p for p in base.problems if p.code in ("unknown-model", "unknown-architecture")), None)
        named = f"{base.model_id} is not known: " if base.model_id and wrong else ""
        return (f"model: {named}give a known name in command, or its config.json as model_config",)
    return ("model: one that generates text; nothing is planned for pooling models",) if base.model.is_pooling else ()


def _workload(arguments: Arguments) -> tuple[Workload | None, tuple[str, ...]]:
    """The traffic, and what has to be said before it is known."""
    if arguments.workload is not None:
        from ...readers.workloads import read_workload  # noqa: PLC0415 (numbers alone do without)

        read = read_workload(arguments.workload)
        if read.source == "words":  # which give means
            read = read.but(input=_spread(read.input.mean), output=_spread(read.output.mean))
        return _changed(read, arguments), ()
    wanted = (
        ("concurrency or request_rate: how many users at once, or requests per second",
         arguments.concurrency or arguments.request_rate),
        ("input_tokens: mean prompt length", arguments.input_tokens),
        ("output_tokens: mean output length", arguments.output_tokens),
    )  # fmt: skip
    lacking = tuple(what for what, value in wanted if not value)
    if lacking:
        return None, lacking
    users = None if not arguments.concurrency else ceil(arguments.concurrency)
    return Workload(
        arrivals="open" if arguments.request_rate else "closed", concurrency=users, request_rate=_rate(arguments),
        input=_spread(arguments.input_tokens or 1), output=_spread(arguments.output_tokens or 1),
    ), ()  # fmt: skip


def _rate(arguments: Arguments) -> float | None:
    return max(SLOWEST, arguments.request_rate) if arguments.request_rate else None


def _spread(mean: float) -> Lengths:
    return Lengths(mean=max(1.0, mean), shape="uniform", spread=SPREAD if mean > 2 else 0.0)


def _changed(workload: Workload, arguments: Arguments) -> Workload:
    """The workload with the numbers given beside it in place of its own."""
    if workload.arrivals == "trace":
        return workload
    changes: dict[str, Any] = {}
    if arguments.request_rate:
        changes |= {"arrivals": "open", "request_rate": _rate(arguments)}
    if arguments.concurrency:
        arrivals = "open" if arguments.request_rate or workload.arrivals == "open" else "closed"
        changes |= {"arrivals": arrivals, "concurrency": ceil(arguments.concurrency)}
    for name, mean in (("input", arguments.input_tokens), ("output", arguments.output_tokens)):
        if mean:
            changes[name] = _spread(mean)
            changes["notes"] = tuple(n for n in changes.get("notes", workload.notes) if f"the {name} length" not in n)
    return workload.but(**changes) if changes else workload


def _needs(base: Deployment, fleets: Fleets, workload: Workload | None, missing: tuple[str, ...]) -> Answer:
    weighs = _weighs(base)
    return Answer(
        summary=f"Cannot plan yet: needs {'; '.join(missing)}.{weighs}", status="needs", vllm_version=base.vllm_version,
        model=base.model_id, gpus=_gpus(fleets), workload="" if workload is None else workload_words(workload), plans=(),
        excluded=(), missing=missing, assumptions=fleets.assumed, not_modelled=(),
    )  # fmt: skip


def _weighs(base: Deployment) -> str:
    """What is known of the model's size while the rest is not."""
    from ...engine.weights import weight_bytes  # noqa: PLC0415 (only on the way to a question)

    size = None if base.model is None else weight_bytes(base.model)
    return "" if size is None else f" The weights of {base.model_id} take {size / 2**30:,.0f} GiB."


def _gpus(fleets: Fleets) -> list[str]:
    return [f"{fleet.count}x {fleet.gpu.name}" for fleet in fleets.fleets]


def _answer(arguments: Arguments, base: Deployment, fleets: Fleets, workload: Workload, made: Plan) -> Answer:
    rows = tuple(plan_row(place, trial, made) for place, trial in enumerate(made.trials, start=1))
    return Answer(
        summary=summary_words(base, fleets, workload, made), status=made.status, vllm_version=base.vllm_version,
        model=base.model_id, gpus=_gpus(fleets), workload=workload_words(workload), plans=rows,
        excluded=excluded(base, fleets, made), shortfall=shortfall(made), would_meet=scale_json(made), missing=made.missing,
        assumptions=_assumed(arguments, base, fleets, workload, made),
        not_modelled=_unique(*(trial.prediction.not_modelled for trial in made.trials)),
    )  # fmt: skip


def _assumed(
    arguments: Arguments, base: Deployment, fleets: Fleets, workload: Workload, made: Plan
) -> tuple[str, ...]:  # fmt: skip
    said = [*fleets.assumed, *workload.notes]
    if base.vllm_version.origin == "assumed":
        said.append(f"vLLM {base.version}: {base.vllm_version.why}")
    if workload.source in ("given", "words"):
        said.append(f"lengths spread evenly by {SPREAD:.0%} around their means; give a workload to say otherwise")
    if any(fleet.nodes > 1 for fleet in fleets.fleets):
        said.append("GPUs stand in machines of 8")
    if not arguments.slo:
        said.append("no slo was given: a plan meets what is asked when the traffic runs and does not wait")
    told = _unique(*(trial.prediction.assumptions for trial in made.trials))
    even = [text for text in told if text.startswith("each of the ")]  # once, whatever the number of replicas
    said += ["replicas and servers get even shares of the traffic; one of them was simulated"] if even else []
    return _unique(tuple(said), tuple(text for text in told if text not in even))


def _unique(*groups: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for group in groups for text in group))


def _row_lines(row: PlanRow) -> list[str]:
    lines = [f"{row.rank}. {row.layout}, {row.precision}, {row.gpus}x {row.gpu}: {row.why}", f"   {row.command}"]
    pool = (
        f"   KV pool {row.pool['tokens']:,} tokens each"
        if isinstance(row.pool.get("tokens"), int)
        else "   KV pool unknown"
    )
    lines.append(f"{pool}; max_model_len {row.max_model_len}, max_num_seqs {row.max_num_seqs}, "
                 f"max_num_batched_tokens {row.max_num_batched_tokens}, kv_cache_dtype {row.kv_cache_dtype}")  # fmt: skip
    lines.append(f"   {row.prediction['words']}")
    lines += [f"   {s['metric']} {s['predicted']} against {s['target']:g}: {s['meets']}" for s in row.slo]
    if row.cost:
        lines.append("   " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in row.cost.items()))
    return lines + [f"   {note}" for note in row.notes]
