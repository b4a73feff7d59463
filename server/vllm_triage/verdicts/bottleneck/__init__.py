"""Which of the five binds: house rules first, then each class held against the same signals, causes before symptoms."""

from .decide import classify

__all__ = ["classify"]
