"""``python -m vllm_triage``: the same as the ``vllm-triage`` command."""

from .surfaces.cli import run

run()
