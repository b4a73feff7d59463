"""What a deployment does under a workload: its scheduler and its step times, simulated."""

from collections.abc import Callable

from ...domain import Deployment, MemoryBudget, Prediction, Workload
from ...facts.versions import at_least
from ..cost import CannotPredict, CostModel, cost_model
from ..machine import draft_tokens, whole
from ..scheduler import CannotSchedule, Limits, Scheduler
from ..scheduler.rules import OLDEST
from ..seats import tokens_held
from .clock import Clock
from .figures import prediction_of
from .limits import ACCEPTANCE, limits_of, role_of, rules_of
from .meter import Meter
from .sessions import Role, Sessions
from .settle import Settling
from .share import share_of
from .traffic import traffic_of

__all__ = ["AT_MOST", "predict"]

AT_MOST = 4000
"""Requests simulated at most, where the workload does not say how many are sent."""


MOST_AT_ONCE = 1_000_000
"""Requests that one engine may hold at a time: each takes memory here, and no server was seen with a tenth of it."""


def predict(
    deployment: Deployment,
    memory: MemoryBudget,
    workload: Workload,
    *,
    cost: CostModel | None = None,
    progress: Callable[[float], None] | None = None,
    at_most: int = AT_MOST,
    acceptance_length: float | None = None,
) -> Prediction:
    """Simulate a deployment under a workload.

    Args:
        deployment: the launch.
        memory: its memory model; a measured pool beats a predicted one there.
        workload: the traffic of all replicas together.
        cost: step times, calibrated ones for instance; None: predicted ones.
        progress: told now and then how far the simulation is, 0 to 1; what it raises ends the simulation.
        at_most: requests to simulate at most where the workload does not say how many are sent.
        acceptance_length: tokens a decode step yields with speculative decoding, where it was measured.

    Raises:
        CannotPredict: the device, the model, the pool or a setting is not known; `missing` names what.
    """
    costs = cost if cost is not None else cost_model(deployment, memory)
    rules = rules_of(deployment.version)
    lengths = _lengths(workload)
    limits = limits_of(deployment, memory, lengths=lengths, acceptance_length=acceptance_length)
    seated = min(limits.max_num_seqs, int(limits.num_blocks * limits.block_size / max(1.0, tokens_held(*lengths))))
    replicas = whole(deployment.setting("data_parallel_size"))
    own, scale = share_of(workload, replicas)
    role = role_of(deployment)
    crowd = (own.concurrency if own.arrivals == "closed" else own.requests if own.arrivals == "at_once" else None) or 0
    if crowd > MOST_AT_ONCE:
        raise CannotPredict((f"at most {MOST_AT_ONCE:,} requests in one engine at a time, not {crowd:,}",))
    scheduler = Scheduler(limits, rules)
    sessions = Sessions(own, limits.max_model_len, role)
    meter = Meter(limits)
    settling = Settling(own, meter, at_most, progress)
    try:
        Clock(scheduler, costs, traffic_of(own, sessions, costs.first_token_ms, max(1, seated)), meter).run(settling.goes_on)
    except CannotSchedule as error:
        raise CannotPredict((f"a workload vLLM can serve: {error}",)) from None
    if progress is not None:
        progress(1.0)
    if sessions.cut > sessions.made / 2:
        share = f"{sessions.cut / sessions.made:.0%}"
        raise CannotPredict((
            f"requests within max_model_len ({limits.max_model_len:,}): vLLM refuses or cuts short {share} of these",
        ))  # fmt: skip
    if not meter.requests:
        raise CannotPredict(("a workload with at least one request that ends",))
    notes = _assumptions(deployment, workload, limits, replicas, role, sessions, acceptance_length)
    return prediction_of(
        meter, settling, costs, own, scale, caching=limits.enable_prefix_caching and role != "decode", notes=notes,
        not_modelled=_not_modelled(deployment, limits, role),
    )  # fmt: skip


def _lengths(workload: Workload) -> tuple[float, float]:
    """Mean tokens of a prompt, and of an output."""
    if workload.arrivals == "trace":
        rows = workload.trace
        return (
            sum(row.input_tokens for row in rows) / len(rows), sum(row.output_tokens for row in rows) / len(rows)
        )  # fmt: skip
    turns = (workload.turns - 1) / 2
    return workload.input.mean + turns * (workload.input.mean + workload.output.mean), workload.output.mean


def _assumptions(
    deployment: Deployment, workload: Workload, limits: Limits, replicas: int, role: Role, sessions: Sessions,
    measured: float | None,
) -> list[str]:  # fmt: skip
    said: list[str] = []
    if not at_least(deployment.version, OLDEST):
        said.append(f"the scheduler of vLLM {deployment.version} is taken to be that of {OLDEST}")
    if replicas > 1:
        said.append(
            f"each of the {replicas} data-parallel replicas gets an even share of the traffic; one was simulated"
        )
    if draft_tokens(deployment):
        length = 1 + limits.accepted_tokens
        how = (
            "as measured" if measured is not None else f"assumed: each draft is accepted with probability {ACCEPTANCE}"
        )
        said.append(f"a decode step yields {length:.2f} tokens of every request ({how})")
    if role == "prefill":
        said.append("kv_producer: this engine computes prompts and one token each")
    if role == "decode":
        said.append("kv_consumer: prompts arrive with their KV, so TTFT is without prefill and transfer")
    if sessions.cut:
        said.append(
            f"{sessions.cut / max(1, sessions.made):.1%} of the requests are longer than max_model_len "
            f"({limits.max_model_len:,}) and were cut short: vLLM would refuse them"
        )
    if workload.turns > 1:
        said.append("each turn's prompt is the whole conversation so far")
    if workload.arrivals == "closed":
        said.append(
            "steady state: users are spread over their requests; a benchmark that starts all at once begins with waves, "
            "and a later first token"
            if workload.requests is None
            else f"all {workload.requests:,} requests count, from the first sent to the last answer, as in vllm bench serve"
        )
    return said


def _not_modelled(deployment: Deployment, limits: Limits, role: Role) -> list[str]:
    said: list[str] = []
    if limits.draft_tokens:
        said.append("that some requests accept more drafts than others")
    if deployment.args.get("kv_transfer_config") and role == "both":
        said.append("KV transfer to and from outside the engine")
    if whole(deployment.setting("pipeline_parallel_size")) > 1:
        said.append("micro-batches of pipeline stages that wait for each other")
    return said
