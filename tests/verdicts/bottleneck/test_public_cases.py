"""The labelled public cases and the published benchmark rows, where they lie beside the checkout."""

import importlib.util
import json
import os
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
SHARED = Path(os.environ.get("VLLM_TRIAGE_SHARED", ROOT.parent / "shared"))


def script(path: str) -> ModuleType:
    """A maintainers' script as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not (SHARED / "corpus" / "diagnosis.jsonl").exists(), reason="the public cases are not here")
def test_public_cases_are_right_where_they_are_classified_and_never_wrong_when_sure() -> None:
    measure = script("tools/measure_diagnosis.py")
    marks: Counter[str] = Counter()
    for line in (SHARED / "corpus" / "diagnosis.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        verdict = measure.judge(case)
        got = measure.mark(case["class"], verdict)
        assert not (got == "wrong" and verdict.confidence >= 0.8), case["source"]
        marks[got] += 1
    answered = marks["right"] + marks["wrong"] + marks["ambiguous"]
    assert marks["right"] >= 0.9 * (marks["right"] + marks["wrong"])
    assert marks["ambiguous"] <= 0.3 * answered


@pytest.mark.skipif(not (SHARED / "data" / "bench.jsonl").exists(), reason="the published rows are not here")
def test_no_published_figure_passes_below_a_floor_unsaid() -> None:
    published = script("benchmarks/published_rows.py")
    for row in published.rows(everything=False):
        if published.device(row) is None:
            continue
        _, verdict = published.judge(row)
        told = verdict.derived
        over, prefill = told["tpot_over_floor"], told["prefill_floor_ms"]
        below_decode = isinstance(over, float) and over < 0.98
        below_prefill = isinstance(prefill, float) and row["ttft_mean"] < 0.98 * prefill
        assert told["conflicts"] or not (below_decode or below_prefill)
        assert not (told["conflicts"] and verdict.confidence >= 0.8)
