"""Pasted text to typed facts. Nothing pasted is executed, expanded or trusted."""
