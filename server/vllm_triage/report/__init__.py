"""Answers: each tool as a function from its arguments to its result, and the one-page report."""
