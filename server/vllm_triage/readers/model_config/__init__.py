"""A model's ``config.json`` read into a :class:`ModelShape`: what each layer caches, how long, how many parameters."""

from .read import read_model_config
from .view import UnknownArchitecture

__all__ = ["UnknownArchitecture", "read_model_config"]
