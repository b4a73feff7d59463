"""A deployment with flags changed, and what the change does to the KV pool.

Advice and the simulator try a knob before they name it: the changed launch goes through the same reading as the
original, so that settings, problems and compatibility are those of the command line the user would run.
"""

from collections.abc import Mapping

from ..domain import Deployment, Json, MemoryBudget
from .deployment import redeploy
from .memory import estimate

__all__ = ["pool_tokens_after", "with_flags"]


def with_flags(deployment: Deployment, changes: Mapping[str, Json]) -> Deployment:
    """The deployment as it would be with `changes` on its command line.

    Args:
        deployment: the launch as it is.
        changes: parser destination (``max_num_seqs``) to its new value; None takes the flag out.
    """
    changed = redeploy(deployment, changes)
    logged = {
        k: v for k, v in deployment.settings.items() if v.origin == "log" and k not in changes and k in changed.settings
    }
    return changed.but(settings={**changed.settings, **logged}) if logged else changed


def pool_tokens_after(deployment: Deployment, memory: MemoryBudget | None, changes: Mapping[str, Json]) -> int | None:
    """Tokens in the KV pool once `changes` are made; None where the pool is unknown.

    A measured pool is scaled by the ratio of the two predictions, so that what the model gets wrong about this
    machine cancels out.
    """
    if memory is None or memory.pool is None or not memory.pool.tokens:
        return None
    before, after = estimate(deployment), estimate(with_flags(deployment, changes))
    if before.pool is None or after.pool is None or not before.pool.tokens or after.pool.tokens is None:
        return None
    return int(memory.pool.tokens * after.pool.tokens / before.pool.tokens)
