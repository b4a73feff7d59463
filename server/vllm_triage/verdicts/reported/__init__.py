"""Faults that people reported of two things together, each with the releases it was seen in.

One row is one kind of fault: what the launch must have, in the words of :data:`FEATURES`, and where it was reported.
Rows stand by area, one module each, which may bring features that only its rows ask for.
"""

from collections.abc import Iterator
from functools import lru_cache

from ..context import Context, Needs
from ..specifier import holds
from . import adapters, attention, caches, connectors, experts, parallel, quantization, serving, speculation
from .features import FEATURES as SHARED
from .features import Feature
from .report import Report

__all__ = ["AREAS", "FEATURES", "REPORTS", "Report", "matching"]

AREAS = (adapters, attention, caches, connectors, experts, parallel, quantization, serving, speculation)
REPORTS: tuple[Report, ...] = tuple(report for area in AREAS for report in area.REPORTS)
FEATURES: dict[str, Feature] = dict(SHARED)
for _area in AREAS:
    FEATURES |= getattr(_area, "FEATURES", {})


@lru_cache(64)
def _of(version: str) -> tuple[Report, ...]:
    return tuple(report for report in REPORTS if holds(report.versions, version))


def matching(ctx: Context, missing: dict[str, None] | None = None) -> Iterator[Report]:
    """The reports of a launch's release that it has everything of; each feature is asked once.

    What could not be decided goes into `missing`: the model or the device without which the rest of a fitting report
    is not known.
    """
    asked: dict[str, bool | tuple[str, ...]] = {}
    for report in _of(ctx.version):
        for name in report.features:
            answer = asked.get(name)
            if answer is None:
                try:
                    answer = FEATURES[name](ctx)
                except Needs as need:
                    answer = need.what
                asked[name] = answer
            if answer is True:
                continue
            if answer is not False and missing is not None:
                missing.update(dict.fromkeys(answer))
            break
        else:
            yield report
