"""Schedules recorded from vLLM's own scheduler (``tools/record_schedules.py``)."""

import gzip
import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "data" / "schedules" / "recorded.jsonl.gz"
PER_STEP = ("steps", "waiting", "running", "free_blocks")


def recordings() -> list[dict[str, Any]]:
    """``{"scenario", "answers": [{"vllm": [versions], "trace"}]}`` for each scenario."""
    return [json.loads(line) for line in gzip.decompress(DATA.read_bytes()).decode().splitlines()]


def unpacked(trace: dict[str, Any]) -> dict[str, Any]:
    """The trace with each step's entry where the file has ``[count, entry]``."""
    return {
        name: [entry for count, entry in value for _ in range(count)] if name in PER_STEP else value
        for name, value in trace.items()
    }
