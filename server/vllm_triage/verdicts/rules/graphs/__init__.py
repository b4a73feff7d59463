"""Compilation and CUDA graphs."""
