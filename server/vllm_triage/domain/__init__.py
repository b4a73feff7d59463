"""The nouns that travel between the rooms: frozen, strict pydantic models, used everywhere under the same name."""

from .accelerator import Accelerator
from .base import BYTES_PER_GIB, Json, Noun, Origin, Sourced
from .deployment import Deployment, EnvReading, FlagReading, Problem, Setting
from .diagnosis import Diagnosis, NextRead
from .finding import AskedVersusGot, CompatReport, Finding, FixStep, NotChecked
from .memory import Budget, CacheGroup, Capacity, Interval, MemoryBudget, Pool
from .model import LayerRun, MixtureOfExperts, ModelShape, Quantization, StateTensor, WeightPart, WeightRole
from .observation import CORE_METRICS, Conflict, Ignored, Measured, Observation, PoolReading
from .recommendation import Exhausted, Recommendation
from .roofline import Roofline
from .verdict import BOTTLENECKS, Bottleneck, Evidence, Refusal, RuledOut, Verdict

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
    "EnvReading",
    "Evidence",
    "Exhausted",
    "Finding",
    "FixStep",
    "FlagReading",
    "Ignored",
    "Interval",
    "Json",
    "LayerRun",
    "Measured",
    "MemoryBudget",
    "MixtureOfExperts",
    "ModelShape",
    "NextRead",
    "NotChecked",
    "Noun",
    "Observation",
    "Origin",
    "Pool",
    "PoolReading",
    "Problem",
    "Quantization",
    "Recommendation",
    "Refusal",
    "Roofline",
    "RuledOut",
    "Setting",
    "Sourced",
    "StateTensor",
    "Verdict",
    "WeightPart",
    "WeightRole",
]
