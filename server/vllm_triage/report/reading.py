"""The way through, once: arguments -> deployment, observation, memory, roofline. Shared by every tool that measures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..domain import Deployment, Json, MemoryBudget, Observation, Problem, Roofline, Setting
from ..engine.deployment import deploy
from ..engine.memory import estimate
from ..engine.roofline import roofline
from ..readers.evidence import read_evidence

__all__ = ["Reading", "deploy_with_evidence", "read", "with_logged_settings"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was configured, what was measured, and what arithmetic makes of the two."""

    deployment: Deployment | None
    observation: Observation
    memory: MemoryBudget | None
    roofline: Roofline


def read(
    command: str | None,
    vllm_version: str | None,
    gpu: str | None,
    model_config: Mapping[str, Json] | None,
    evidence: Sequence[str],
    given: Mapping[str, float],
) -> Reading:
    """Read everything the user gave, in one pass.

    Raises:
        ValueError: no launch can be read from `command`, or a version or device is not understood.
    """
    observation = read_evidence(evidence, given)
    deployment = deploy_with_evidence(command, vllm_version, gpu, model_config, observation)
    memory = None
    if deployment is not None:
        isl, osl = observation.input_tokens, observation.output_tokens
        memory = estimate(
            deployment,
            observation.pool,
            input_tokens=max(1, round(isl.value)) if isl else None,
            output_tokens=max(1, round(osl.value)) if osl else None,
        )
    return Reading(deployment, observation, memory, roofline(deployment, observation, memory))


def deploy_with_evidence(
    command: str | None,
    vllm_version: str | None,
    gpu: str | None,
    model_config: Mapping[str, Json] | None,
    observation: Observation,
) -> Deployment | None:
    """The deployment, with what the launch leaves open taken from a pasted log: launch, version, device.

    What was typed outranks what was read; a version or device from a log carries origin ``log``.
    """
    launch = command or observation.launch
    if launch is None:
        return None
    deployment = deploy(launch, vllm_version, gpu, model_config)
    logged_version = observation.vllm_version if deployment.vllm_version.origin == "assumed" else None
    logged_device = observation.device if deployment.gpu is None and gpu is None else None
    if logged_version is not None or logged_device is not None:
        deployment = deploy(launch, logged_version or vllm_version, logged_device or gpu, model_config)
    if logged_version is not None:
        version = deployment.vllm_version.but(origin="log", why="named by the pasted log")
        deployment = deployment.but(vllm_version=version)
    if logged_device is not None and deployment.gpu is not None:
        deployment = deployment.but(gpu_origin="log")
    return with_logged_settings(deployment, observation)


def with_logged_settings(deployment: Deployment, observation: Observation) -> Deployment:
    """What a log prints as resolved outranks what is predicted; where it contradicts a given flag, both are told."""
    if all(name not in deployment.settings or deployment.settings[name].value == value
           for name, value in observation.settings.items()):  # fmt: skip
        return deployment
    settings, problems = dict(deployment.settings), list(deployment.problems)
    for name, value in observation.settings.items():
        known = settings.get(name)
        if known is None or known.value == value:
            continue
        if known.origin == "given":
            problems.append(Problem(
                severity="warning", code="log-differs", message=f"the launch sets {name} to {known.value}, the pasted log shows {value}",
                fix="paste the log of this launch; the answer follows the command",
            ))  # fmt: skip
        else:
            settings[name] = Setting(value=value, origin="log", why="printed by the pasted log")
    return deployment.but(settings=settings, problems=tuple(problems))
