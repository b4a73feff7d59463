"""A deployment under traffic: vLLM's scheduler, with a clock."""

from ..cost import CannotPredict
from .calibrate import calibrate
from .limits import limits_of
from .observed import workload_of
from .predict import predict

__all__ = ["CannotPredict", "calibrate", "limits_of", "predict", "workload_of"]
