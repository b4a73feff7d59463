"""The captures of tests/data, by name."""

from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data"
RUNS = tuple(sorted(path.name for path in (DATA / "runs").iterdir() if path.is_dir()))
SERVED = tuple(name for name in RUNS if "fail" not in name and name != "request-errors")
"""Runs whose server came up and was benchmarked."""


@cache
def capture(run: str, file: str) -> str:
    """The text of one file of one run."""
    return (DATA / "runs" / run / file).read_text(encoding="utf-8")


@cache
def server(name: str) -> str:
    """One scrape of one of the made-up servers, such as ``kv_1``."""
    return (DATA / "servers" / f"{name}.prom").read_text(encoding="utf-8")


def texts(run: str) -> list[str]:
    """Everything a user could paste of one run."""
    names = (
        "bench.json",
        "bench.txt",
        "engine.log",
        "metrics_before.txt",
        "metrics_during.txt",
        "metrics_after.txt",
        "startup.log",
    )
    return [capture(run, name) for name in names if (DATA / "runs" / run / name).exists()]
