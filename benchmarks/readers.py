"""How long the readers take: a 200 KB scrape beside prometheus_client's parser, and every file of a real run.

    python benchmarks/readers.py            # from a checkout, with prometheus-client installed for the comparison

Each figure is CPU time, the best of several runs in one process, both parsers in turn, so that a busy machine hurts
neither or both alike. Fails when the 200 KB scrape takes more than 15 ms or longer than the standard parser, or a
scrape of 10 MiB more than two seconds.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from vllm_triage.readers.evidence import read_evidence
from vllm_triage.readers.exposition import read_exposition

RUNS = Path(__file__).parent.parent / "tests" / "data" / "runs"
ROUNDS = 15


def scrape_of(size: int) -> str:
    """A scrape of at least `size` bytes: a real server's, once per data-parallel engine."""
    whole = (RUNS / "default" / "metrics_after.txt").read_text(encoding="utf-8")
    vllm = "".join(line + "\n" for line in whole.splitlines() if "vllm:" in line)
    text, engine = whole, 0
    while len(text.encode()) < size:
        engine += 1
        text += "".join(
            line.replace('engine="0"', f'engine="{engine}"') + "\n" for line in vllm.splitlines() if line[0] != "#"
        )
    return text


def best(*calls: Callable[[], object]) -> list[float]:
    """Best time of each call in ms, the calls taken in turn."""
    times = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for index, call in enumerate(calls):
            start = time.process_time()
            call()
            times[index] = min(times[index], (time.process_time() - start) * 1e3)
    return times


LIMIT_MS, LIMIT_BIG_MS = 15.0, 2000.0


def main() -> int:
    """Print the table; 1 when a limit is passed."""
    text = scrape_of(200_000)
    kilobytes = len(text.encode()) / 1000
    calls: list[tuple[str, Callable[[], object]]] = [
        ("read_exposition", lambda: read_exposition(text)),
        ("read_evidence (recognise, read, join)", lambda: read_evidence([text])),
    ]
    try:
        from prometheus_client.parser import text_string_to_metric_families as families  # noqa: PLC0415
    except ImportError:
        print("prometheus-client is not installed: no comparison")
    else:
        calls.append(("prometheus_client parser", lambda: list(families(text))))
    print(f"{kilobytes:.0f} KB scrape, best of {ROUNDS}")
    took = best(*(call for _, call in calls))
    for (name, _), ms in zip(calls, took, strict=True):
        print(f"  {name:<42}{ms:>9.2f} ms")
    slow = took[1] > min([LIMIT_MS, *took[2:]])
    whole = scrape_of(10 * 2**20)
    start = time.process_time()
    read_evidence([whole])
    large = (time.process_time() - start) * 1e3
    print(f"  {'read_evidence of 10 MiB, once':<42}{large:>9.2f} ms")
    print("\nreal files (tests/data/runs/seqs4)")
    for name in ("bench.json", "bench.txt", "engine.log", "startup.log", "metrics_during.txt"):
        file = (RUNS / "seqs4" / name).read_text(encoding="utf-8")
        (ms,) = best(lambda file=file: read_evidence([file]))  # type: ignore[misc]
        print(f"  {name:<42}{ms:>9.2f} ms   {len(file) / 1000:.0f} KB")
    return int(slow or large > LIMIT_BIG_MS)


if __name__ == "__main__":
    sys.exit(main())
