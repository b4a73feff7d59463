"""The labelled public cases, for the tools that measure against them."""

import argparse
import json
import os
from pathlib import Path
from typing import Any

__all__ = ["asked_cases"]

ROOT = Path(__file__).parent.parent


def asked_cases(about: str | None) -> tuple[list[dict[str, Any]], bool]:
    """The cases the command line names, and whether each is to be shown.

    They are read from ``corpus/diagnosis.jsonl`` below VLLM_TRIAGE_SHARED (default ``../shared`` beside the checkout);
    where that is not there the program says so and ends well: there is nothing to measure.
    """
    options = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", action="store_true", help="show every case, not only those that went wrong")
    default = Path(os.environ.get("VLLM_TRIAGE_SHARED", ROOT.parent / "shared")) / "corpus" / "diagnosis.jsonl"
    options.add_argument("file", nargs="?", type=Path, default=default)
    asked = options.parse_args()
    if not asked.file.exists():
        print(f"nothing to measure: {asked.file} is not there")
        raise SystemExit(0)
    return [json.loads(line) for line in asked.file.read_text(encoding="utf-8").splitlines()], asked.cases
