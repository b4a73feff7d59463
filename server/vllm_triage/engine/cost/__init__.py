"""How long one step takes on one replica: physics with few efficiencies, fitted to published measurements."""

from .bands import Band, Bands
from .build import cost_model
from .model import CannotPredict, CostModel

__all__ = ["Band", "Bands", "CannotPredict", "CostModel", "cost_model"]
