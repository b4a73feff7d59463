"""``estimate_kv_bytes``: bytes per token, the pool, and how many fit."""

from typing import get_args

from pydantic import Field

from ...domain import Budget, CacheGroup, Capacity, Deployment, MemoryBudget, Pool, PoolReading, Problem
from ...domain.base import Words
from ...domain.deployment import Severity
from ...engine.deployment import deploy
from ...engine.memory import estimate
from ..answer import ToolAnswer
from ..arguments import Amount, BadArguments, Evidence, OptionalDeploymentArguments, Tokens
from ..text import bullets, row, section, value
from ..words import gpu_words

__all__ = ["Answer", "Arguments", "answer", "run"]

MOST_PROBLEMS = 20
SEVERITIES = get_args(Severity)


class Arguments(OptionalDeploymentArguments):
    """*deployment*, a pasted log, and the shape of a request."""

    evidence: Evidence = Field((), description="Pasted startup log(s): the measured pool beats any prediction.")
    available_kv_gib: Amount | None = Field(None, description="GiB per GPU for KV cache, as the log prints it.")
    input_tokens: Tokens | None = Field(None, description="Prompt length to count users for.")
    output_tokens: Tokens | None = None
    concurrency: Tokens | None = Field(None, description="Requests at once, to find the longest prompt for.")


class Answer(ToolAnswer):
    """The memory budget of one deployment."""

    kv_bytes_per_token: int | None
    kv_bytes_per_token_per_gpu: int | None
    state_bytes_per_sequence: int
    groups: tuple[CacheGroup, ...]
    budget: Budget
    pool: Pool | None
    capacity: Capacity | None
    assumptions: Words
    not_modelled: Words
    problems: tuple[Problem, ...]

    def found(self) -> bool:
        """True when something is wrong with the launch or the sizing."""
        return any(problem.severity != "info" for problem in self.problems)

    def to_text(self) -> str:
        """Figures first, then what they rest on."""
        data = self.to_json()
        figures = ("kv_bytes_per_token", "kv_bytes_per_token_per_gpu", "state_bytes_per_sequence")
        lines = [self.summary, "; ".join(f"{name}: {value(data[name])}" for name in figures)]
        lines += section("Cache groups", (f"- {row(group, ('kind',))}" for group in data["groups"]))
        for name in ("budget", "pool", "capacity"):
            if data[name] and (text := row(data[name])):
                lines.append(f"{name}: {text}")
        lines += section("Problems", (f"- {row(problem, ('severity',))}" for problem in data["problems"]))
        lines += section("Assumed", bullets(data["assumptions"]))
        lines += section("Not modelled", bullets(data["not_modelled"]))
        return "\n".join(lines)


def run(arguments: Arguments) -> Answer:
    """Size the first launch of the paste, or the one a pasted log shows.

    Raises:
        BadArguments: when neither says which model is served.
    """
    deployment, pool = _with_evidence(arguments) if arguments.evidence else (_launch(arguments), None)
    if deployment is None:
        raise BadArguments("command: required (a launch, or just a model id), for no pasted text shows one.")
    shape = (arguments.input_tokens, arguments.output_tokens, arguments.concurrency)
    return answer(deployment, estimate(deployment, pool, arguments.available_kv_gib, *shape))


def _launch(arguments: Arguments) -> Deployment | None:
    return None if arguments.command is None else deploy(**arguments.deployment())


def _with_evidence(arguments: Arguments) -> tuple[Deployment | None, PoolReading | None]:
    from ...readers.evidence import read_evidence  # noqa: PLC0415 (two dozen readers that a bare launch does without)
    from ..reading import deploy_with_evidence  # noqa: PLC0415

    observation = read_evidence(arguments.evidence)
    return deploy_with_evidence(**arguments.deployment(), observation=observation), observation.pool


def answer(deployment: Deployment, memory: MemoryBudget) -> Answer:
    """The budget in the tool's shape, with what was already wrong with the launch."""
    problems = (*(p for p in deployment.problems if p.severity != "info"), *memory.problems)
    return Answer(
        summary=_summary(deployment, memory, problems), kv_bytes_per_token=memory.kv_bytes_per_token,
        kv_bytes_per_token_per_gpu=memory.kv_bytes_per_token_per_gpu,
        state_bytes_per_sequence=memory.state_bytes_per_sequence, groups=memory.groups, budget=memory.budget,
        pool=memory.pool, capacity=memory.capacity, assumptions=memory.assumptions, not_modelled=memory.not_modelled,
        problems=problems[:MOST_PROBLEMS],
    )


def _summary(deployment: Deployment, memory: MemoryBudget, problems: tuple[Problem, ...]) -> str:
    name = deployment.model_id or "The model"
    if memory.kv_bytes_per_token is None:
        unknown = "its shape is not known; pass its config.json as model_config"
        wrong = problems[0].message if problems else unknown
        return f"{name} cannot be sized: {wrong.rstrip('.')}."
    each = memory.kv_bytes_per_token_per_gpu
    per_gpu = f" ({each:,} on each GPU)" if each is not None and each != memory.kv_bytes_per_token else ""
    kib = f"{memory.kv_bytes_per_token / 1024:.4g} KiB"
    sentences = [f"{name} keeps {memory.kv_bytes_per_token:,} bytes ({kib}) of KV cache a token{per_gpu}."]
    if memory.state_bytes_per_sequence:
        sentences.append(f"Each sequence holds {memory.state_bytes_per_sequence:,} bytes of state besides.")
    sentences.append(_pool_words(deployment, memory))
    if memory.capacity is not None:
        sentences.append(_capacity_words(memory.capacity, memory.pool.max_model_len if memory.pool else None))
    if problems:
        worst = min(problems, key=lambda problem: SEVERITIES.index(problem.severity))
        sentences.append(f"{worst.message.rstrip('.')}.{' ' + worst.fix if worst.fix else ''}")
    return " ".join(filter(None, sentences))


def _capacity_words(capacity: Capacity, max_model_len: int | None) -> str:
    """How many fit, and the length at which that breaks."""
    shape = f"{capacity.input_tokens:,} in and {capacity.output_tokens:,} out"
    beside = f" with {capacity.output_tokens:,} out" if capacity.output_tokens else ""
    if max_model_len and capacity.input_tokens + capacity.output_tokens > max_model_len:
        return (
            f"Requests of {shape} are longer than --max-model-len {max_model_len:,} allows; the pool would hold "
            f"{capacity.requests:.4g} at once."
        )
    if capacity.concurrency is not None and not capacity.longest_input_at_concurrency:
        return f"{capacity.concurrency:,} requests do not fit at once{beside}, with any prompt."
    longest, who = capacity.longest_input_tokens or 0, "one request's prompt"
    if capacity.concurrency is not None:
        longest, who = capacity.longest_input_at_concurrency or 0, f"the prompts of {capacity.concurrency:,} at once"
    bound = "--max-model-len sets that bound" if capacity.limit == "max_model_len" else "the pool is full beyond"
    fits = f"About {capacity.requests:.4g} requests of {shape} fit at once"
    return f"{fits}; {who} may have {longest:,} tokens{beside} ({bound})."


def _pool_words(deployment: Deployment, memory: MemoryBudget) -> str:
    pool = memory.pool
    if pool is None or pool.tokens is None:
        without = "The pool cannot be predicted without the GPU: pass gpu, or a startup log in evidence."
        return "" if deployment.gpu else without
    known = pool.max_concurrency is not None and pool.max_model_len
    fits = f", {pool.max_concurrency:.4g} requests of {pool.max_model_len:,} tokens at once" if known else ""
    on = f" on {gpu_words(deployment)}" if deployment.gpu else ""
    longest = ""
    if pool.largest_max_model_len and pool.max_model_len and pool.largest_max_model_len > pool.max_model_len:
        longest = f" (--max-model-len may be {pool.largest_max_model_len:,} at most)"
    return f"The pool{on} holds {pool.tokens:,} tokens ({pool.basis}){fits}{longest}."
