"""A command line's words -> what vLLM's parser of one release makes of them, without vLLM."""

from .reading import Arguments, Given
from .reader import read_arguments

__all__ = ["Arguments", "Given", "read_arguments"]
