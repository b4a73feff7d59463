"""Which fields of an observation hold a measurement."""

from ..domain import Measured, Observation

__all__ = ["MEASURED"]

MEASURED = frozenset(name for name, info in Observation.model_fields.items() if info.annotation == Measured | None)
"""Fields of an observation that hold a measurement."""
