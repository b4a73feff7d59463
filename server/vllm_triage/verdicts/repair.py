"""A launch with the fix of a finding applied, read again as its version reads it."""

from collections.abc import Iterable

from ..domain import Deployment, EnvReading, Finding, FixStep, Json
from ..engine.deployment import redeploy
from ..facts.flags import table

__all__ = ["repaired"]


def repaired(deployment: Deployment, finding: Finding) -> Deployment:
    """`deployment` after the edits of `finding`.

    Flags the parser refused are not in a deployment's arguments, so they are gone from the result in any case.
    """
    flags = table(deployment.version)
    changes: dict[str, Json] = {}
    for step in finding.steps:
        spec = flags.by_option(step.name) if step.name.startswith("-") else None
        if spec is not None:
            changes[spec.dest] = step.to if step.action == "set" else None
    return redeploy(deployment.but(env=_environment(deployment.env, finding.steps)), changes)


def _environment(env: Iterable[EnvReading], steps: Iterable[FixStep]) -> tuple[EnvReading, ...]:
    values = {reading.name: reading.value for reading in env}
    for step in steps:
        if step.action == "set_env":
            values[step.name] = str(step.to)
        elif step.action == "drop_env":
            values.pop(step.name, None)
    return tuple(EnvReading(name=name, value=value) for name, value in values.items())
