"""A deployment with flags changed, and what the change does to the KV pool.

Advice and the simulator try a knob before they name it: the changed launch goes through the same reading as the
original, so that settings, problems and compatibility are those of the command line the user would run.
"""

from collections.abc import Mapping

from ..domain import Deployment, EnvReading, Json, MemoryBudget
from ..facts import env as environment
from ..facts.versions import nearest
from .deployment import redeploy
from .memory import estimate

__all__ = ["memory_after", "pool_tokens_after", "upgraded", "with_flags"]

PINS = ("kv_cache_memory_bytes", "num_gpu_blocks_override")
"""Settings that fix the pool whatever memory is free."""


def with_flags(
    deployment: Deployment, changes: Mapping[str, Json], env: Mapping[str, str] | None = None
) -> Deployment:
    """The deployment as it would be with `changes` on its command line.

    Args:
        deployment: the launch as it is.
        changes: parser destination (``max_num_seqs``) to its new value; None takes the flag out.
        env: environment variables set besides.
    """
    if env:
        kept = tuple(reading for reading in deployment.env if reading.name not in env)
        set_now = tuple(
            EnvReading(name=name, value=value, note=environment.note(name, deployment.version))
            for name, value in env.items()
        )
        deployment = deployment.but(env=(*kept, *set_now))
    changed = redeploy(deployment, changes)
    logged = {
        k: v for k, v in deployment.settings.items() if v.origin == "log" and k not in changes and k in changed.settings
    }
    return changed.but(settings={**changed.settings, **logged}) if logged else changed


def upgraded(deployment: Deployment, version: str) -> Deployment:
    """The same launch as another release reads it."""
    release = deployment.vllm_version.but(value=version, why=f"after the upgrade from {deployment.version}")
    return redeploy(deployment.but(vllm_version=release, catalogue_version=nearest(version)), {})


def memory_after(before: Deployment, memory: MemoryBudget | None, after: Deployment) -> MemoryBudget:
    """The memory of the changed launch `after`, given that of the launch as it is.

    Where the pool was measured, the *difference* of the two predictions (GiB on each GPU) is added to what was
    measured, so that what the model gets wrong about this machine is carried along. Where the pool is pinned, before or
    after, what is free has no say and the prediction stands.
    """
    shape = None if memory is None else memory.capacity
    lengths = (None, None) if shape is None else (shape.input_tokens, shape.output_tokens)
    new = estimate(after, None, None, *lengths)
    measured = memory is not None and memory.pool is not None and memory.pool.basis == "measured"
    if memory is None or not measured:
        return new
    old = estimate(before)
    if not _tokens(new) or not _tokens(old):
        return _unpredicted(memory, new)
    if _pinned(before) or _pinned(after):
        return memory if _tokens(new) == _tokens(old) else new
    if _tokens(new) == _tokens(old) and _gib(new) == _gib(old):
        return memory
    had = _gib(old) * _tokens(memory) / _tokens(old)
    adjusted = estimate(after, None, max(0.0, had + _gib(new) - _gib(old)), *lengths)
    pool = None if adjusted.pool is None else adjusted.pool.but(basis="predicted")
    note = "the pool after the change is the measured one plus the predicted difference"
    return adjusted.but(pool=pool, assumptions=(*adjusted.assumptions, note))


def pool_tokens_after(deployment: Deployment, memory: MemoryBudget | None, changes: Mapping[str, Json]) -> int | None:
    """Tokens in the KV pool once `changes` are made; None where the pool is unknown."""
    if memory is None or not _tokens(memory):
        return None
    return _tokens(memory_after(deployment, memory, with_flags(deployment, changes))) or None


def _unpredicted(memory: MemoryBudget, new: MemoryBudget) -> MemoryBudget:
    """The measured pool where no prediction exists (a CPU): its bytes stay, a token may take fewer or more of them."""
    if new.kv_bytes_per_token and memory.kv_bytes_per_token and memory.pool is not None and memory.pool.tokens:
        share = memory.kv_bytes_per_token / new.kv_bytes_per_token
        tokens = int(memory.pool.tokens * share)
        blocks = None if memory.pool.blocks is None else int(memory.pool.blocks * share)
        note = "the bytes of the measured pool are taken to stay as they are"
        return new.but(
            pool=memory.pool.but(tokens=tokens, blocks=blocks, max_concurrency=None), assumptions=(*new.assumptions, note)
        )
    return memory


def _pinned(deployment: Deployment) -> bool:
    return any(deployment.setting(name) is not None or name in deployment.args for name in PINS)


def _tokens(memory: MemoryBudget) -> int:
    """Tokens in the pool, 0 where there is none or it is not known."""
    return 0 if memory.pool is None or memory.pool.tokens is None else memory.pool.tokens


def _gib(memory: MemoryBudget) -> float:
    interval = memory.budget.kv_pool_gib
    return 0.0 if interval is None else interval.mid
