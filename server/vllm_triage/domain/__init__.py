"""The nouns that travel between the rooms: frozen, strict pydantic models, used everywhere under the same name.

A module is loaded when the first of its nouns is asked for: a tool meets a few of them, and each costs a fraction of a
millisecond to make.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .accelerator import Accelerator
    from .base import BYTES_PER_GIB, Json, Noun, Origin, Sourced
    from .deployment import Deployment, EnvReading, FlagReading, Problem, Setting
    from .diagnosis import Diagnosis, NextRead
    from .finding import AskedVersusGot, CompatReport, Finding, FixStep, NotChecked
    from .memory import Budget, CacheGroup, Capacity, Interval, MemoryBudget, Pool, PoolReading
    from .model import (
        LayerRun,
        MixtureOfExperts,
        ModelShape,
        Quantization,
        StateTensor,
        StoredWeights,
        WeightPart,
        WeightRole,
    )
    from .observation import CORE_METRICS, Conflict, Ignored, Measured, Observation
    from .prediction import Difference, Latency, Moment, Prediction
    from .recommendation import Exhausted, Proof, Recommendation
    from .roofline import Roofline
    from .verdict import BOTTLENECKS, Bottleneck, Evidence, Refusal, RuledOut, Verdict
    from .workload import Lengths, TraceRow, Workload

__all__ = [
    "BOTTLENECKS",
    "BYTES_PER_GIB",
    "CORE_METRICS",
    "Accelerator",
    "AskedVersusGot",
    "Bottleneck",
    "Budget",
    "CacheGroup",
    "Capacity",
    "CompatReport",
    "Conflict",
    "Deployment",
    "Diagnosis",
    "Difference",
    "EnvReading",
    "Evidence",
    "Exhausted",
    "Finding",
    "FixStep",
    "FlagReading",
    "Ignored",
    "Interval",
    "Json",
    "Latency",
    "LayerRun",
    "Lengths",
    "Measured",
    "MemoryBudget",
    "MixtureOfExperts",
    "ModelShape",
    "Moment",
    "NextRead",
    "NotChecked",
    "Noun",
    "Observation",
    "Origin",
    "Pool",
    "PoolReading",
    "Prediction",
    "Problem",
    "Proof",
    "Quantization",
    "Recommendation",
    "Refusal",
    "Roofline",
    "RuledOut",
    "Setting",
    "Sourced",
    "StateTensor",
    "StoredWeights",
    "TraceRow",
    "Verdict",
    "WeightPart",
    "WeightRole",
    "Workload",
]

_MODULES = {
    "accelerator": "Accelerator",
    "base": "BYTES_PER_GIB Json Noun Origin Sourced",
    "deployment": "Deployment EnvReading FlagReading Problem Setting",
    "diagnosis": "Diagnosis NextRead",
    "finding": "AskedVersusGot CompatReport Finding FixStep NotChecked",
    "memory": "Budget CacheGroup Capacity Interval MemoryBudget Pool PoolReading",
    "model": "LayerRun MixtureOfExperts ModelShape Quantization StateTensor StoredWeights WeightPart WeightRole",
    "observation": "CORE_METRICS Conflict Ignored Measured Observation",
    "prediction": "Difference Latency Moment Prediction",
    "recommendation": "Exhausted Proof Recommendation",
    "roofline": "Roofline",
    "verdict": "BOTTLENECKS Bottleneck Evidence Refusal RuledOut Verdict",
    "workload": "Lengths TraceRow Workload",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    noun: object = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
    globals()[name] = noun
    return noun
