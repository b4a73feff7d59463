"""A launch with the fix of a finding applied, read again as its version reads it."""

from collections.abc import Iterable

from ..domain import Deployment, EnvReading, Finding, FixStep, Json
from ..engine.deployment import redeploy
from ..facts.flags import table
from .context import Context
from .rule import drop

__all__ = ["also_edited", "repaired"]

SPECULATIVE_FLAGS = {"spec_method": "--spec-method", "spec_model": "--spec-model", "spec_tokens": "--spec-tokens"}
"""The shorthands of --speculative-config, from 0.22."""


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


def also_edited(context: Context, steps: Iterable[FixStep]) -> tuple[FixStep, ...]:
    """What has to go with another --speculative-config: flags that say part of it, and async scheduling by name.

    Without any, what is reported of speculation has to go. vLLM refuses the configuration said twice, and
    --async-scheduling with a method that cannot overlap; without the flag it decides by itself.
    """
    edits = {step.name: step for step in steps}
    edit = edits.get("--speculative-config")
    if edit is None:
        return ()
    if edit.action == "drop":
        told = context.given("per_request_spec_decode_metrics")
        return (drop("--per-request-spec-decode-metrics"),) if told else ()
    names = [flag for dest, flag in SPECULATIVE_FLAGS.items() if context.given(dest)]
    if context.arg("async_scheduling") is True:
        names.append("--async-scheduling")
    return tuple(drop(name) for name in names if name not in edits)


def _environment(env: Iterable[EnvReading], steps: Iterable[FixStep]) -> tuple[EnvReading, ...]:
    values = {reading.name: reading.value for reading in env}
    for step in steps:
        if step.action == "set_env":
            values[step.name] = str(step.to)
        elif step.action == "drop_env":
            values.pop(step.name, None)
    return tuple(EnvReading(name=name, value=value) for name, value in values.items())
