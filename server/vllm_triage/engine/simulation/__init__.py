"""A deployment under traffic: vLLM's scheduler, with a clock."""

from ..cost import CannotPredict
from .limits import limits_of
from .predict import predict

__all__ = ["CannotPredict", "limits_of", "predict"]
