"""Python expressions as syntax trees; nothing is compiled further or run."""

import ast
import warnings

__all__ = ["expression", "source_of"]


def expression(text: str) -> ast.expr | None:
    """The tree of one expression, or None for a text that is none. Python's remarks on style are not passed on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return None


def source_of(node: ast.AST) -> str:
    """The tree as source again; an ellipsis for one that is nested beyond reason."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return "…"
