"""Parallelism and executors."""
