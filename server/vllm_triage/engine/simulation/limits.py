"""The scheduler's settings of one replica, from the resolved settings and the memory pool."""

from collections.abc import Mapping
from math import ceil

from ...domain import Deployment, Json, MemoryBudget
from ...facts.versions import at_least
from ..cost import CannotPredict
from ..machine import draft_tokens, whole
from ..scheduler import CannotSchedule, Limits, Rules, UnknownScheduler, rules_for
from ..scheduler.rules import OLDEST, OPTIONS
from ..seats import seats_in_pool, tokens_held
from .sessions import Role

__all__ = ["ACCEPTANCE", "limits_of", "role_of", "rules_of"]

ACCEPTANCE = 0.6
"""Assumed chance of a draft token to be accepted once those before it were, where nothing was measured."""

_FIRST_V1 = "0.8.0"
"""First release in which the V1 engine is what a launch gets (0.8.0 engine/arg_utils.py EngineArgs.create_engine_config)."""


def rules_of(version: str) -> Rules:
    """The scheduler's rules of a release; those of the oldest known one for earlier releases of the same engine.

    Raises:
        CannotPredict: for releases whose engine is V0.
    """
    try:
        return rules_for(version)
    except UnknownScheduler:
        if not at_least(version, _FIRST_V1):
            raise CannotPredict(
                (f"a release with the V1 engine: the scheduler of vLLM {version} is another",)
            ) from None
        return rules_for(OLDEST)


def limits_of(
    deployment: Deployment,
    memory: MemoryBudget,
    *,
    lengths: tuple[float, float] | None = None,
    acceptance_length: float | None = None,
) -> Limits:
    """What the scheduler of one replica is configured with.

    Args:
        deployment: the launch.
        memory: its memory; a measured pool was put there by the memory model.
        lengths: mean prompt and output tokens of the traffic: where layers keep different caches, how many requests
            fit depends on them.
        acceptance_length: tokens a decode step yields with speculative decoding, where it was measured.

    Raises:
        CannotPredict: a setting or the pool is not known, or vLLM would refuse the combination.
    """
    known = {name: deployment.setting(name) for name in ("max_num_seqs", "max_num_batched_tokens", "max_model_len")}
    missing = tuple(name for name, value in known.items() if whole(value, 0) == 0)
    blocks = _pool(deployment, memory, lengths)
    if deployment.gpu is None and (missing or blocks is None):
        raise CannotPredict(("the GPU",))  # its defaults and its pool follow
    if missing or blocks is None:
        raise CannotPredict((*missing, *(() if blocks else (_why_no_pool(memory),))))
    num_blocks, block_size = blocks
    seats = whole(known["max_num_seqs"])
    drafts = draft_tokens(deployment)
    try:
        return Limits(
            max_num_seqs=seats,
            max_num_batched_tokens=_budget(deployment, seats),
            max_model_len=whole(known["max_model_len"]),
            num_blocks=num_blocks,
            block_size=block_size,
            long_prefill_token_threshold=whole(deployment.setting("long_prefill_token_threshold"), 0),
            enable_prefix_caching=deployment.setting("enable_prefix_caching") is True,
            enable_chunked_prefill=deployment.setting("enable_chunked_prefill") is not False,
            policy="priority" if deployment.setting("scheduling_policy") == "priority" else "fcfs",
            async_scheduling=deployment.setting("async_scheduling") is True,
            draft_tokens=drafts,
            accepted_tokens=_accepted(drafts, block_size, acceptance_length),
            reserve_full_prompt=deployment.setting("scheduler_reserve_full_isl") is not False,
            watermark=_watermark(deployment),
            max_num_active_seqs=_active(deployment, seats),
            adaptive_threshold=(
                _known(deployment, "adaptive_threshold")
                and deployment.setting("long_prefill_token_threshold_adaptive") is True
            ),
        )
    except CannotSchedule as error:
        raise CannotPredict((f"a configuration vLLM starts with: {error}",)) from None


def _budget(deployment: Deployment, seats: int) -> int:
    """Tokens of a step; with some drafters fewer are scheduled than batched."""
    batched = whole(deployment.setting("max_num_batched_tokens"))
    return max(seats, min(batched, whole(deployment.setting("max_num_scheduled_tokens"), batched)))


def _known(deployment: Deployment, option: str) -> bool:
    """Whether the release has a setting that came later than the oldest scheduler known."""
    return at_least(deployment.version, OPTIONS[option][0])


def _watermark(deployment: Deployment) -> float:
    share = deployment.setting("watermark")
    known = isinstance(share, float) and 0 < share < 1 and _known(deployment, "watermark")
    return share if known and isinstance(share, float) else 0.0


def _active(deployment: Deployment, seats: int) -> int | None:
    active = whole(deployment.setting("max_num_active_seqs"), 0)
    return active if 0 < active <= seats and _known(deployment, "max_num_active_seqs") else None


def _why_no_pool(memory: MemoryBudget) -> str:
    """What would give a pool: a launch that starts, or a log."""
    stops = next((one for one in memory.problems if one.severity in ("fatal", "error")), None)
    if stops is None:
        return "the size of the KV pool: a startup log has it"
    return f"a launch that starts ({stops.message}): {stops.fix}"


def _pool(deployment: Deployment, memory: MemoryBudget, lengths: tuple[float, float] | None) -> tuple[int, int] | None:
    """Blocks, the null block included, and the tokens of one."""
    pool, groups = memory.pool, memory.groups
    if pool is None or not (pool.tokens or pool.blocks):
        return None
    setting = whole(deployment.setting("block_size"), 16)
    size = groups[0].block_tokens if groups and groups[0].block_tokens > 0 else setting
    if len(groups) <= 1:
        if pool.blocks and pool.tokens and pool.tokens % pool.blocks == 0:
            size = pool.tokens // pool.blocks  # with decode context parallelism a block holds a multiple
        blocks = pool.blocks or -(-(pool.tokens or 0) // size)
        return max(2, blocks), size
    size = min((group.block_tokens for group in groups if group.block_tokens > 0), default=size)
    seats = None if lengths is None else seats_in_pool(memory, deployment.model, 1, *lengths)
    if lengths is not None and seats is not None:
        # a request takes whole blocks: beside recurrent state one block may be longer than most requests
        return max(2, int(seats * ceil(tokens_held(*lengths) / size)) + 1), size
    tokens = pool.tokens or (pool.blocks or 0) * size / len(groups)
    return max(2, int(tokens / size) + 1), size


def _accepted(drafts: int, block_size: int, measured: float | None) -> float:
    if not drafts:
        return 0.0
    expected = sum(ACCEPTANCE**place for place in range(1, drafts + 1))
    accepted = expected if measured is None else max(0.0, measured - 1)
    return min(accepted, float(drafts), float(block_size - 1))


def role_of(deployment: Deployment) -> Role:
    """What part of each request this engine computes, by the role its KV connector was given."""
    config: Json = deployment.args.get("kv_transfer_config")
    role = config.get("kv_role") if isinstance(config, Mapping) else None
    return "prefill" if role == "kv_producer" else "decode" if role == "kv_consumer" else "both"
