"""A reading -> a diagnosis: verdict, compatibility, advice, in that order."""

from collections.abc import Collection, Mapping

from ..domain import Diagnosis
from ..verdicts.advice import Situation, next_read, recommend
from ..verdicts.bottleneck import classify
from ..verdicts.compat import check
from .arguments import BadArguments
from .reading import Reading

__all__ = ["diagnose"]


def diagnose(
    reading: Reading, acknowledge: Collection[str] = (), targets: Mapping[str, float] | None = None
) -> Diagnosis:
    """Judge a reading. `acknowledge` names house rules the user accepts to have broken, `targets` what is wanted by metric.

    Raises:
        BadArguments: the reading has no deployment.
    """
    deployment = reading.deployment
    if deployment is None:
        raise BadArguments("command: required; paste the launch, a manifest, or the log that prints it.")
    compat = check(deployment)
    verdict = classify(deployment, reading.observation, reading.memory, reading.roofline, acknowledge)
    situation = Situation(deployment, reading.observation, reading.memory, reading.roofline, verdict, targets or {})
    advice = recommend(situation, compat)
    return Diagnosis(
        deployment=deployment,
        observation=reading.observation,
        memory=reading.memory,
        roofline=reading.roofline,
        verdict=verdict,
        compat=compat,
        refusals=verdict.refusals,
        recommendations=advice.recommendations,
        will_not_help=advice.will_not_help,
        untried=advice.untried,
        next_read=next_read(verdict, compat),
        measure_next=verdict.measure_next,
    )
