"""The Prometheus metrics of vLLM 0.6.6 to 0.33: what each counts, since when, until when, and under which other name.

``facts/data/metrics.json`` holds one row per metric, named without the ``vllm:`` prefix and without the ``_total`` that
Prometheus clients add to counters. `first` and `last` are the first and last release it was seen in, among the releases
whose source was read; a metric without `last` is current.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from . import versions

__all__ = ["MetricFacts", "aliases", "canonical", "exists", "find", "names"]

MetricKind = Literal["gauge", "counter", "histogram", "info"]

_PREFIXES = ("vllm:", "vllm_", "vllm.")
_SUFFIXES = ("_total", "_bucket", "_count", "_sum", "_created")


@dataclass(frozen=True, slots=True)
class MetricFacts:
    """One metric."""

    name: str
    """Without prefix and ``_total``, such as ``num_preemptions``."""
    kind: MetricKind
    unit: str
    first: str
    """First release it was seen in; ``0.6.6.post1`` is the oldest that was read, so it may be older."""
    last: str | None
    """Last release it was seen in; None while it is current."""
    meaning: str
    labels: tuple[str, ...] = ()
    """Labels beside ``model_name`` and ``engine`` that carry meaning."""
    replaced_by: str | None = None
    """The metric that measures the same thing today."""

    @property
    def exposed(self) -> str:
        """The name as it stands in a scrape (histograms further end in ``_bucket``, ``_sum`` and ``_count``)."""
        ends = self.name.endswith("_total")
        return f"vllm:{self.name}_total" if self.kind == "counter" and not ends else f"vllm:{self.name}"


@cache
def _table() -> dict[str, MetricFacts]:
    raw = json.loads(files(__package__).joinpath("data/metrics.json").read_text(encoding="utf-8"))
    return {
        name: MetricFacts(
            name=name,
            kind=row["kind"],
            unit=row["unit"],
            first=row["first"],
            last=row.get("last"),
            meaning=row["meaning"],
            labels=tuple(row.get("labels", ())),
            replaced_by=row.get("replaced_by"),
        )
        for name, row in raw.items()
    }


def find(name: str) -> MetricFacts | None:
    """The metric `name` means, written with or without prefix, ``_total``, ``_bucket``, ``_sum`` or ``_count``."""
    bare = name.strip()
    for prefix in _PREFIXES:
        bare = bare.removeprefix(prefix)
    bare = bare.replace(".", "_")
    table = _table()
    if bare in table:
        return table[bare]
    for suffix in _SUFFIXES:
        if bare.endswith(suffix) and (found := table.get(bare.removesuffix(suffix))):
            return found
    return None


def canonical(name: str) -> str | None:
    """Today's name of a metric (``gpu_cache_usage_perc`` is ``kv_cache_usage_perc``); None when it is not known."""
    found = find(name)
    return None if found is None else found.replaced_by or found.name


@cache
def aliases(name: str) -> tuple[str, ...]:
    """Every name a metric has had, today's first."""
    return (name, *(row.name for row in _table().values() if row.replaced_by == name))


def exists(name: str, version: str) -> bool:
    """True when `version` exposes the metric under this name."""
    found = find(name)
    if found is None or not versions.at_least(version, found.first):
        return False
    return found.last is None or versions.at_least(found.last, version)


def names(version: str | None = None) -> tuple[str, ...]:
    """Every known metric, or those of one release, sorted."""
    return tuple(sorted(name for name in _table() if version is None or exists(name, version)))
