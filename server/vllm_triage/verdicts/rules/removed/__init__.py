"""Flags this version refuses, renames or ignores."""
