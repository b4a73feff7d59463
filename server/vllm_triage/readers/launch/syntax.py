"""Python expressions as syntax trees; nothing is compiled further or run."""

import ast
import warnings

__all__ = ["expression"]


def expression(text: str) -> ast.expr | None:
    """The tree of one expression, or None for a text that is none. Python's remarks on style are not passed on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return None
