"""What costs time without being a class: settings and measurements that have a place in the answer, not the verdict.

Each becomes a note of the answer, and the evidence of a decode step that is far above its floor. None of them names a
bottleneck by itself: eager mode on a server without a queue and with quick streams harms nobody.
"""

from ...domain import Deployment, Observation
from ..thresholds import ITL_BATCH_ONE_FAR, SMALL_BATCH
from .signals import Signals

__all__ = ["suspects"]

HALF = 0.5
"""Share of the time per token below which decode itself is the smaller part."""

UNEVEN = 1.5
"""Busiest engine over the mean of all, from which routing is uneven."""

FEW_ACCEPTED = 1.3
"""Mean accepted length below which a draft costs more than it gives at any batch."""

MUCH_RECOMPUTED = 0.05
"""Share of prompt tokens computed again after preemption from which it is worth saying."""


def suspects(s: Signals, deployment: Deployment | None, seen: Observation) -> list[str]:
    """One sentence for each thing that costs time, most telling first."""
    return [*_measured(s, seen), *([] if deployment is None else _configured(s, deployment))]


def _measured(s: Signals, seen: Observation) -> list[str]:
    said = []
    over = s.over_floor
    if over is not None and s.r is not None and s.r <= SMALL_BATCH and over > max(ITL_BATCH_ONE_FAR, s.band.high):
        said.append(
            f"at a batch of {s.r:.2g} a decode step takes {over:.1f} times its floor: a throttled clock, a shared GPU, "
            "eager mode or a slow host"
        )
    if s.tpot and s.decode_step is not None and s.decode_step < HALF * s.tpot and s.slow_stream:
        said.append(f"{1 - s.decode_step / s.tpot:.0%} of the time per token goes to the prompts of others")
    if seen.engine_imbalance is not None and seen.engine_imbalance.value >= UNEVEN:
        said.append(
            f"the busiest DP engine holds {seen.engine_imbalance.value:.1f} times the mean: routing is uneven, and "
            "its queue is not the server's"
        )
    if seen.recomputed_tok_s is not None and seen.prompt_tok_s is not None and seen.prompt_tok_s.value > 0:
        share = seen.recomputed_tok_s.value / seen.prompt_tok_s.value
        if share >= MUCH_RECOMPUTED:
            said.append(f"{share:.0%} of the prompt tokens are computed again after preemption")
    if seen.acceptance_length is not None and seen.acceptance_length.value < FEW_ACCEPTED:
        said.append(
            f"speculation yields {seen.acceptance_length.value:.2f} tokens a step: the draft and its verification cost "
            "more than that gives"
        )
    if s.preempted_ever and s.preempting is None:
        said.append("preemptions happened since the start; whether they happen now takes two scrapes")
    return said


def _configured(s: Signals, deployment: Deployment) -> list[str]:
    said = []
    if deployment.setting("enforce_eager") is True and not s.cpu:
        said.append("--enforce-eager: no CUDA graphs, so every decode step pays its kernel launches from the host")
    if deployment.setting("async_scheduling") is False and deployment.setting("speculative_config") is not None:
        said.append("asynchronous scheduling is off: each step waits for the scheduler on the host")
    gpu, tp = deployment.gpu, deployment.setting("tensor_parallel_size")
    if gpu is not None and gpu.interconnect == "pcie" and isinstance(tp, int) and tp > 1:
        said.append(f"tensor parallelism over PCIe on {tp} GPUs: two all-reduces a layer cross that link")
    return said
