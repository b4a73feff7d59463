"""A command line's words -> what vLLM's parser of one release makes of them, without vLLM."""

from .reader import read_arguments
from .reading import Arguments, Given

__all__ = ["Arguments", "Given", "read_arguments"]
